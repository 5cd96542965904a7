import ControlCodec
import Frames
import RecorderAPI

/// The recorder's side of a conversation with one remote: lines in, lines out, without a transport.
///
/// Thread: one at a time. A slow command (a start, a switch) blocks its caller.
public struct ControlConversation {
  private let control: any RecorderControl
  /// What the watcher was told last, and when; `nil` if nobody watches.
  private var told: (state: RecorderState, at: ContinuousClock.Instant)?

  public init(with control: any RecorderControl) { self.control = control }

  public var isWatching: Bool { told != nil }

  /// Answers a request.
  ///
  /// - Parameter line: without its line feed.
  /// - Returns: a line; `nil` if the request is an empty line.
  public mutating func answer(_ line: some Collection<UInt8>, now: ContinuousClock.Instant = .now) -> [UInt8]? {
    guard !line.allSatisfy(" \r\t".utf8.contains) else { return nil }
    var id: JSONValue?
    do {
      let fields = try ControlConversation.fields(line)
      id = try ControlConversation.identity(fields["id"])
      return ControlMessage.answer(try state(after: try ControlRequest(fields: fields), now), id: id).line
    } catch {
      return ControlMessage.refusal(error, id: id).line
    }
  }

  private mutating func state(
    after request: ControlRequest, _ now: ContinuousClock.Instant
  ) throws(CamrecError) -> RecorderState {
    switch try request.meaning() {
    case .command(.state): return control.state
    case .command(let command): return try control.perform(command, by: "ctl")
    case .watch(let isWatching, changes: _):
      let state = control.state
      told = isWatching ? (state, now) : nil
      return state
    }
  }

  /// The state for a watcher, if it has changed and the interval since the last report is over.
  ///
  /// - Parameter isLast: the last occasion: reports a change regardless of the interval.
  public mutating func news(now: ContinuousClock.Instant = .now, isLast: Bool = false) -> [UInt8]? {
    guard let told, isLast || told.at.duration(to: now) >= ControlProtocol.newsInterval else { return nil }
    let state = control.state
    guard state != told.state else { return nil }
    self.told = (state, now)
    return ControlMessage.news(state).line
  }

  /// The answer to a line that is too long, before the connection ends.
  public static var tooLong: [UInt8] {
    ControlMessage.refusal(
      CamrecError(.usage, "a request must have at most \(ControlProtocol.lineLimit) bytes; this one has more")
    ).line
  }

  private static func fields(_ line: some Collection<UInt8>) throws(CamrecError) -> [String: JSONValue] {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw CamrecError(.usage, "a request must be a JSON object in UTF-8 on one line; this line is not UTF-8")
    }
    do {
      return try ControlProtocol.read([String: JSONValue].self, from: text)
    } catch {
      let start = text.count > excerpt ? "\(text.prefix(excerpt))…" : text
      throw CamrecError(
        .usage, "a request must be a JSON object on one line, as in {\"do\":\"state\"}, not '\(start)'")
    }
  }

  /// How many characters of a line to quote.
  private static let excerpt = 60

  private static func identity(_ value: JSONValue?) throws(CamrecError) -> JSONValue? {
    switch value {
    case nil, .integer?, .number?, .text?: return value
    default: throw CamrecError(.usage, "the \"id\" of a request must be a number or a string")
    }
  }
}
