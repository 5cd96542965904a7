public import Frames
public import RecorderAPI

/// A line that a recorder sends: its greeting, the answer to a request, or a change for a watcher.
public struct ControlMessage: Hashable, Sendable, Codable {
  /// A failure: code and sentence as on the command line.
  public struct Failure: Hashable, Sendable, Codable {
    /// By the names of `CamrecError.Code`.
    public var code: String
    public var message: String
    public var cause: String?

    public init(_ error: CamrecError) {
      code = error.code.rawValue
      message = error.message
      cause = error.cause
    }

    public var error: CamrecError { CamrecError(CamrecError.Code(rawValue: code) ?? .defect, message, cause: cause) }
  }

  /// In the greeting: the version of camrec.
  public var camrec: String?
  /// In the greeting: the version of the protocol.
  public var `protocol`: Int?
  /// In the greeting: the recorder's process.
  public var pid: Int32?
  /// In an answer: the request's id.
  public var id: JSONValue?
  /// In an answer: whether the command was carried out.
  public var ok: Bool?
  public var error: Failure?
  /// In an event: `state`.
  public var event: String?
  /// In the answer to a command that was carried out, and in an event.
  public var state: RecorderState?

  public init() {}

  public static func greeting(camrec: String, pid: Int32) -> ControlMessage {
    var message = ControlMessage()
    message.camrec = camrec
    message.protocol = ControlProtocol.version
    message.pid = pid
    return message
  }

  public static func answer(_ state: RecorderState, id: JSONValue?) -> ControlMessage {
    var message = ControlMessage()
    message.id = id
    message.ok = true
    message.state = state
    return message
  }

  public static func refusal(_ error: CamrecError, id: JSONValue? = nil) -> ControlMessage {
    var message = ControlMessage()
    message.id = id
    message.ok = false
    message.error = Failure(error)
    return message
  }

  public static func news(_ state: RecorderState) -> ControlMessage {
    var message = ControlMessage()
    message.event = "state"
    message.state = state
    return message
  }

  public var line: [UInt8] { ControlProtocol.line(self) }

  /// - Throws: code `device` for any other line.
  public init(line: some Sequence<UInt8>) throws(CamrecError) {
    let text = String(decoding: Array(line), as: UTF8.self)
    do {
      self = try ControlProtocol.read(ControlMessage.self, from: text)
    } catch {
      throw CamrecError(
        .device, "cannot read the recorder's answer; use the camrec that it was started with",
        cause: String(text.prefix(200)))
    }
  }
}
