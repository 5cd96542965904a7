public import Frames
public import RecorderAPI

/// A line that a recorder sends: its greeting, the answer to a request, or a change for a watcher.
///
/// Version 1 of the protocol has neither `monitor`, `name`, `capabilities`, `controls`, `generation`, `changes` nor a
/// failure's `reason`, `field` and `sentence`: they are in lines for remotes that have asked for them.
public struct ControlMessage: Hashable, Sendable, Codable {
  /// A failure: code and sentence as on the command line.
  public struct Failure: Hashable, Sendable, Codable {
    /// By the names of `CamrecError.Code`.
    public var code: String
    public var message: String
    public var cause: String?
    /// By the names of `RefusalReason`: for programs, in answers to remotes that have said hello, as what follows.
    public var reason: String?
    /// By the names of `SettingName`.
    public var field: String?
    /// The message without the command line's options; `nil` if it has none.
    public var sentence: String?

    /// As in version 1.
    public init(_ error: CamrecError) {
      code = error.code.rawValue
      message = error.message
      cause = error.cause
    }

    /// For remotes that have said hello.
    ///
    /// - Parameter reason: replaces that of the error.
    public init(detailed error: CamrecError, reason: RefusalReason? = nil) {
      self.init(error)
      let own = RecorderError(error, reason: reason)
      self.reason = own.reason?.rawValue
      field = own.field?.rawValue
      sentence = own.message == message ? nil : own.message
    }

    /// As the command line says it.
    public var error: CamrecError {
      CamrecError(
        CamrecError.Code(rawValue: code) ?? .defect, message, cause: cause,
        reason: reason.flatMap(RefusalReason.init(rawValue:)))
    }

    /// Without the command line's options, from a recorder that leaves them out.
    public var recorderError: RecorderError {
      RecorderError(
        CamrecError.Code(rawValue: code) ?? .defect, sentence ?? message,
        field: field.flatMap(SettingName.init(rawValue:)), reason: reason.flatMap(RefusalReason.init(rawValue:)),
        cause: cause)
    }
  }

  /// In the greeting: the version of camrec.
  public var camrec: String?
  /// In the greeting: the version of the protocol.
  public var `protocol`: Int?
  /// In the greeting: the recorder's process.
  public var pid: Int32?
  /// In the answer to a hello of a recorder that has one: the absolute path of its monitor socket.
  public var monitor: String?
  /// In the answer to a hello: the recorder's name.
  public var name: String?
  /// In the answer to a hello: by the names of `ControlCapability`.
  public var capabilities: [String]?
  /// In an answer: the request's id.
  public var id: JSONValue?
  /// In an answer: whether the command was carried out.
  public var ok: Bool?
  public var error: Failure?
  /// In an event: `state`.
  public var event: String?
  /// In the answer to a command that was carried out, and in an event.
  public var state: RecorderState?
  /// In the answer to a query for the controls.
  public var controls: [ControlDescription]?
  /// For a watcher of changes: the number of the state.
  public var generation: Int?
  /// In an event for a watcher of changes, in place of `state`: what has changed since the generation before.
  public var changes: ChangedMembers?

  public init() {}

  public static func greeting(camrec: String, pid: Int32) -> ControlMessage {
    var message = ControlMessage()
    message.camrec = camrec
    message.protocol = ControlProtocol.version
    message.pid = pid
    return message
  }

  /// The answer to a hello.
  ///
  /// - Parameter greeting: as it was sent when the remote connected, and with the recorder's name and monitor socket.
  public static func welcome(_ greeting: ControlMessage, id: JSONValue?) -> ControlMessage {
    var message = greeting
    message.id = id
    message.ok = true
    message.capabilities = ControlCapability.allCases.map(\.rawValue)
    return message
  }

  /// - Parameter generation: the state's number, for a watcher of changes.
  public static func answer(_ state: RecorderState, id: JSONValue?, generation: Int? = nil) -> ControlMessage {
    var message = ControlMessage()
    message.id = id
    message.ok = true
    message.state = state
    message.generation = generation
    return message
  }

  /// The answer to a query for the controls.
  public static func answer(_ controls: [ControlDescription], id: JSONValue?) -> ControlMessage {
    var message = ControlMessage()
    message.id = id
    message.ok = true
    message.controls = controls
    return message
  }

  /// As in version 1.
  public static func refusal(_ error: CamrecError, id: JSONValue? = nil) -> ControlMessage {
    refusal(Failure(error), id: id)
  }

  /// For a remote that has said hello.
  ///
  /// - Parameter reason: replaces that of the error.
  public static func refusal(
    detailed error: CamrecError, id: JSONValue?, reason: RefusalReason? = nil
  ) -> ControlMessage {
    refusal(Failure(detailed: error, reason: reason), id: id)
  }

  private static func refusal(_ failure: Failure, id: JSONValue?) -> ControlMessage {
    var message = ControlMessage()
    message.id = id
    message.ok = false
    message.error = failure
    return message
  }

  public static func news(_ state: RecorderState) -> ControlMessage {
    var message = ControlMessage()
    message.event = "state"
    message.state = state
    return message
  }

  /// A change for a watcher of changes.
  public static func news(_ update: StateUpdate) -> ControlMessage {
    var message = ControlMessage()
    message.event = "state"
    message.generation = update.generation
    if update.isWhole { message.state = update.values } else { message.changes = ChangedMembers(update) }
    return message
  }

  /// What the line tells a watcher of changes; `nil` if it is another line.
  public var update: StateUpdate? {
    guard let generation else { return nil }
    if let state { return StateUpdate(state, generation: generation) }
    return changes.map { StateUpdate($0.names, of: $0.values, generation: generation) }
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
