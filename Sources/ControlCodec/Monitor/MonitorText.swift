public import Frames
public import RecorderAPI

/// The payload of a message of kind `text`: the greeting, the answer to a request, or a notice.
public struct MonitorText: Hashable, Sendable, Codable {
  /// What a notice is about, by names that stay the same.
  public enum Event: String, Hashable, Sendable, CaseIterable {
    /// The recorder has ended a subscription, or without one the connection; `error` says why.
    case ended
    /// Nothing comes for now; `error` says why. Messages of the subscription end that.
    case waiting
  }

  /// In the greeting: the version of camrec.
  public var camrec: String?
  /// In the greeting: the version of the monitor protocol.
  public var monitor: Int?
  /// In the greeting: the recorder's process.
  public var pid: Int32?
  /// In the greeting: the recorder's name, if it has one.
  public var name: String?
  /// In an answer: the request's id.
  public var id: JSONValue?
  /// In an answer: whether the request was carried out.
  public var ok: Bool?
  /// In an answer and a notice: which subscription it is about.
  public var subscription: UInt32?
  /// In a notice: by the names of `Event`; later versions may have others.
  public var event: String?
  /// In an answer: the size of the pictures as they are made, in pixels; `nil` if that is not known yet.
  public var width: Int?
  public var height: Int?
  /// In the answer to a snapshot: the length of the image file, whose pieces follow.
  public var bytes: Int?
  public var error: ControlMessage.Failure?

  public init() {}

  public static func greeting(camrec: String, pid: Int32, name: String?) -> MonitorText {
    var text = MonitorText()
    text.camrec = camrec
    text.monitor = Int(MonitorProtocol.version)
    text.pid = pid
    text.name = name
    return text
  }

  /// The answer to a hello.
  public static func welcome(_ greeting: MonitorText, id: JSONValue?) -> MonitorText {
    var text = greeting
    text.id = id
    text.ok = true
    return text
  }

  /// - Parameters:
  ///   - size: of the pictures as they are made.
  ///   - bytes: of a snapshot.
  public static func answer(
    _ subscription: UInt32?, id: JSONValue?, size: (width: Int, height: Int)? = nil, bytes: Int? = nil
  ) -> MonitorText {
    var text = MonitorText()
    text.id = id
    text.ok = true
    text.subscription = subscription
    text.width = size?.width
    text.height = size?.height
    text.bytes = bytes
    return text
  }

  /// - Parameter reason: replaces that of the error.
  public static func refusal(
    _ error: CamrecError, _ subscription: UInt32?, id: JSONValue?, reason: RefusalReason? = nil
  ) -> MonitorText {
    var text = MonitorText()
    text.id = id
    text.ok = false
    text.subscription = subscription
    text.error = ControlMessage.Failure(detailed: error, reason: reason)
    return text
  }

  public static func notice(_ event: Event, _ subscription: UInt32?, _ error: CamrecError?) -> MonitorText {
    var text = MonitorText()
    text.event = event.rawValue
    text.subscription = subscription
    text.error = error.map { ControlMessage.Failure(detailed: $0) }
    return text
  }

  /// As it is sent: its members sorted by name.
  public var payload: [UInt8] { ControlProtocol.line(self).dropLast() }

  /// - Throws: code `device` for any other payload.
  public init(payload: some Sequence<UInt8>) throws(CamrecError) {
    let text = String(decoding: Array(payload), as: UTF8.self)
    do {
      self = try ControlProtocol.read(MonitorText.self, from: text)
    } catch {
      throw CamrecError(
        .device, "cannot read the answer of the recorder's monitor; use the camrec that it was started with",
        cause: String(text.prefix(200)))
    }
  }

  /// - Parameter sequence: of the connection's texts, from 1.
  public func message(sequence: UInt64) -> MonitorMessage {
    MonitorMessage(MonitorHeader(.text, sequence: sequence), payload: payload)
  }
}
