public import ControlCodec
public import Frames
public import Platform
import RecorderAPI

/// The recorder's side of a conversation with one remote: lines in, lines out, without a transport.
///
/// A remote of version 1 has its commands carried out on the caller's thread, which a slow one (a start, a switch)
/// blocks. After a hello they are carried out beside the conversation, and `nextAnswer` has their answers.
///
/// Thread: one at a time.
public struct ControlConversation {
  private struct Watch {
    /// The watcher's number at the feed.
    let number: Int
    let wantsChanges: Bool
    var told: StatePublication
  }

  private let control: any RecorderControl
  private let feed: StateFeed
  private let greeting: ControlMessage
  private let wake: @Sendable () -> Void
  private var hello: ControlHello?
  /// `nil` until the remote says hello.
  private var lanes: RequestLanes?
  /// `nil` if nobody watches.
  private var watch: Watch?

  /// Requests that a remote may have under way.
  private static let mostRequests = 16

  /// - Parameters:
  ///   - feed: the same for all remotes of a recorder; `nil`: one of its own.
  ///   - greeting: what the remote was greeted with, and the recorder's name and monitor socket: a hello is answered
  ///     with it.
  ///   - wake: called on any thread when there is an answer or news to take; it must not wait.
  public init(
    with control: any RecorderControl, feed: StateFeed? = nil, greeting: ControlMessage = ControlMessage(),
    wake: @escaping @Sendable () -> Void = {}
  ) {
    self.control = control
    self.feed = feed ?? StateFeed(of: control)
    self.greeting = greeting
    self.wake = wake
  }

  public var isWatching: Bool { watch != nil }

  /// Requests are under way.
  public var isWaiting: Bool { (lanes?.count ?? 0) > 0 }

  /// Whether another request may come now. If not, wait for an answer first.
  public var takesRequests: Bool {
    guard let lanes, let hello else { return true }
    return lanes.count < (hello.outOfOrder ? ControlConversation.mostRequests : 1)
  }

  /// When `nextAnswer` has an answer at the latest; `nil` if none is due.
  public var deadline: MonotonicTime? { lanes?.deadline }

  /// Answers a request, or begins to carry it out.
  ///
  /// - Parameter line: without its line feed.
  /// - Returns: a line; `nil` if the request is an empty line, or if the answer comes later.
  public mutating func answer(_ line: some Collection<UInt8>, now: MonotonicTime = .now()) -> [UInt8]? {
    guard !line.allSatisfy(" \r\t".utf8.contains) else { return nil }
    var id: JSONValue?
    do {
      let fields = try ControlConversation.fields(line)
      id = try ControlConversation.identity(fields["id"])
      if fields["do"] == .text(ControlHello.word) { return try welcome(ControlHello(fields: fields), id) }
      if fields["do"] == .text(ControlsQuery.word) { return try answer(ControlsQuery(fields: fields), id, now) }
      return try answer(ControlRequest(fields: fields), id, now)
    } catch {
      return (hello == nil ? ControlMessage.refusal(error, id: id) : .refusal(detailed: error, id: id)).line
    }
  }

  private mutating func welcome(_ hello: ControlHello, _ id: JSONValue?) throws(CamrecError) -> [UInt8] {
    try ControlConversation.check(id, for: hello)
    self.hello = hello
    if lanes == nil { lanes = RequestLanes(control, wake: wake) }
    return ControlMessage.welcome(greeting, id: id).line
  }

  private func answer(_ query: ControlsQuery, _ id: JSONValue?, _ now: MonotonicTime) throws(CamrecError) -> [UInt8]? {
    guard let hello, let lanes else { return ControlMessage.answer(try control.controls(), id: id).line }
    try ControlConversation.check(id, for: hello)
    lanes.begin(.init(name: ControlsQuery.word, work: .controls, id: id, limit: hello.queryDeadline), now: now)
    return nil
  }

  private mutating func answer(
    _ request: ControlRequest, _ id: JSONValue?, _ now: MonotonicTime
  ) throws(CamrecError) -> [UInt8]? {
    if let hello { try ControlConversation.check(id, for: hello) }
    switch try request.meaning() {
    case .command(.state): return line(control.state, id)
    case .command(let command):
      guard let hello, let lanes else { return line(try control.perform(command, by: "ctl"), id) }
      let limit = hello.deadline(of: request.word)
      lanes.begin(.init(name: request.word.rawValue, work: .command(command), id: id, limit: limit), now: now)
      return nil
    case .watch(false, changes: _):
      end()
      return line(control.state, id)
    case .watch(true, changes: let wantsChanges):
      end()
      let number = feed.add(wake), told = feed.publish(now: now, isWhole: true)
      watch = Watch(number: number, wantsChanges: wantsChanges, told: told)
      guard wantsChanges else { return line(told.state, id) }
      return ControlMessage.answer(told.state, id: id, generation: told.generation).line
    }
  }

  private func line(_ state: RecorderState, _ id: JSONValue?) -> [UInt8] {
    ControlMessage.answer(hello == nil ? state.ofFirstVersion : state, id: id).line
  }

  /// The answer to a request that was carried out beside the conversation, or whose deadline has passed.
  ///
  /// - Returns: `nil` if there is none yet.
  public mutating func nextAnswer(now: MonotonicTime = .now()) -> [UInt8]? {
    guard let outcome = lanes?.take(now: now) else { return nil }
    switch outcome.result {
    case .success(.state(let state)): return line(state, outcome.request.id)
    case .success(.controls(let controls)): return ControlMessage.answer(controls, id: outcome.request.id).line
    case .failure(let error):
      return ControlMessage.refusal(detailed: error, id: outcome.request.id, reason: outcome.reason).line
    }
  }

  /// What a watcher has not been told of the recorder's state yet; `nil` if it has been told everything.
  public mutating func news() -> [UInt8]? {
    guard var watch, let latest = feed.latest, latest.generation != watch.told.generation else { return nil }
    let told = watch.told
    watch.told = latest
    self.watch = watch
    if watch.wantsChanges { return latest.line(latest.generation == told.generation + 1 ? .changes : .wholeChanges) }
    // It may have changed back meanwhile, or only where version 1 has no members.
    guard hello == nil else {
      let changed = latest.state.members(differingFrom: told.state)
      return changed.isSubset(of: StateFeed.companions) ? nil : latest.line(.allMembers)
    }
    return latest.state.ofFirstVersion == told.state.ofFirstVersion ? nil : latest.line(.state)
  }

  /// The last occasion to tell a watcher something: looks at the recorder once more.
  public mutating func lastNews() -> [UInt8]? {
    guard watch != nil else { return nil }
    _ = feed.publish(isWhole: true)
    return news()
  }

  /// Nobody watches any more. Call it at the end.
  public mutating func end() {
    if let watch { feed.remove(watch.number) }
    watch = nil
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

  /// Answers out of order are told apart by their ids.
  private static func check(_ id: JSONValue?, for hello: ControlHello) throws(CamrecError) {
    guard hello.outOfOrder, id == nil else { return }
    throw CamrecError(.usage, "with \"outOfOrder\", each request needs an \"id\", as in {\"do\":\"state\",\"id\":1}")
  }
}
