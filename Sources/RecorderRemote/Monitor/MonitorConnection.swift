import ControlCodec
import Frames
import Platform
import RecorderAPI
import Synchronization

/// A connection to a recorder's monitor: requests go out on the threads that make them, and one thread reads what
/// comes.
///
/// Thread: any.
final class MonitorConnection: Sendable {
  private struct State {
    var given: Int64 = 0
    var pending: [Int64: PendingAnswer<MonitorText>] = [:]
    /// Subscriptions whose messages somebody waits for.
    var expected: Set<UInt32> = []
    var snapshots: [UInt32: SnapshotPieces] = [:]
    /// What has come and nobody has taken.
    var messages: [MonitorMessage] = []
    var isEnded = false
    /// Why the recorder has ended the connection, or what was wrong with it.
    var failure: CamrecError?
  }

  let path: String
  /// The recorder's first message.
  let greeting = PendingAnswer<MonitorText>()
  private let socket: ClientSocket
  private let state = Mutex(State())
  /// Rung for each of `messages`, and at the end.
  private let bell = MonotonicSemaphore()

  /// Bytes read at once.
  private static let piece = 1 << 17
  /// Notices that nobody has taken; the oldest go first.
  private static let mostNotices = 64

  /// Begins to read.
  ///
  /// - Parameter socket: connected; this object closes it.
  init(_ socket: Int32, _ path: String) {
    self.socket = ClientSocket(socket)
    self.path = path
    _ = WorkThread(name: "camrec-looking") { [self] in listen() }
  }

  /// Ends the connection; does not wait.
  func close() { socket.close() }

  // MARK: Requests

  /// - Throws: the recorder's refusal; code `device` if it goes away or does not answer in that time.
  func ask(_ request: MonitorRequest, within seconds: Double) throws(CamrecError) -> MonitorText {
    let answer = PendingAnswer<MonitorText>()
    let id = state.withLock { state -> Int64? in
      guard !state.isEnded else { return nil }
      state.given += 1
      state.pending[state.given] = answer
      return state.given
    }
    guard let id else { throw state.withLock { $0.failure } ?? gone(nil) }
    defer { state.withLock { $0.pending[id] = nil } }
    // Where nothing can be sent, the recorder may have said why before it closed the connection.
    let failure = socket.send(request.line(id: id))
    guard let result = answer.wait(within: seconds) else { throw gone(failure?.description) }
    let text = try result.get()
    if let failure = text.error { throw failure.clientError }
    return text
  }

  /// Sends a request whose answer nobody waits for.
  func tell(_ request: MonitorRequest) { _ = socket.send(request.line()) }

  // MARK: Messages

  /// From now on somebody waits for the messages of a subscription.
  ///
  /// - Returns: whether nobody did before.
  func expect(_ subscription: UInt32) -> Bool { state.withLock { $0.expected.insert(subscription).inserted } }

  /// Gathers the pieces of a snapshot until `forget`.
  func collect(_ subscription: UInt32) -> SnapshotPieces {
    let pieces = SnapshotPieces()
    state.withLock { $0.snapshots[subscription] = pieces }
    return pieces
  }

  /// Nobody waits for messages of a subscription any more.
  func forget(_ subscription: UInt32) {
    state.withLock { state in
      state.expected.remove(subscription)
      state.snapshots[subscription] = nil
      state.messages.removeAll { $0.header.subscription == subscription }
    }
  }

  /// - Returns: `nil` if nothing has come in that time.
  func next(within seconds: Double) throws(CamrecError) -> MonitorMessage? {
    let end = MonotonicTime.now().advanced(by: Int64(saturating: max(0, seconds) * 1e9))
    while true {
      let (message, isEnded, failure) = state.withLock { state in
        (state.messages.isEmpty ? nil : state.messages.removeFirst(), state.isEnded, state.failure)
      }
      if let message { return message }
      if isEnded {
        // For others that wait.
        bell.signal()
        throw failure ?? gone(nil)
      }
      let rest = seconds.isFinite ? Double(end - MonotonicTime.now()) * 1e-9 : .infinity
      if rest <= 0 { return nil }
      bell.wait(within: rest)
    }
  }

  // MARK: What comes

  private func listen() {
    var reader = MonitorReader(), isFirst = true
    var failure: CamrecError?
    do throws(CamrecError) {
      while let bytes = try receive() {
        if isFirst { try check(first: bytes) }
        isFirst = false
        reader.append(bytes)
        while let message = try reader.next() { try take(message) }
      }
    } catch {
      failure = error
      close()
    }
    finish(failure)
  }

  /// - Returns: `nil` if the recorder has closed the connection.
  private func receive() throws(CamrecError) -> [UInt8]? {
    do {
      return try socket.receive(atMost: MonitorConnection.piece)
    } catch {
      throw gone(error.description)
    }
  }

  /// A control socket greets with an object in JSON, which may be shorter than a header.
  private func check(first bytes: [UInt8]) throws(CamrecError) {
    guard bytes.starts(with: "{\"".utf8) else { return }
    throw CamrecError(.usage, "'\(path)' is a control socket; the recorder's state file names its monitor socket")
  }

  private func take(_ message: MonitorMessage) throws(CamrecError) {
    if message.header.kind == .text { return try take(MonitorText(payload: message.payload), message) }
    let pieces = state.withLock { state -> SnapshotPieces? in
      let number = message.header.subscription
      if message.header.kind == .snapshot { return state.snapshots[number] }
      guard state.expected.contains(number) else { return nil }
      let waiting = state.messages.indices.filter { state.messages[$0].header.subscription == number }
      if waiting.count >= MonitorProtocol.mostUnderWay { state.messages.remove(at: waiting[0]) }
      state.messages.append(message)
      bell.signal()
      return nil
    }
    pieces?.add(.success(message))
  }

  private func take(_ text: MonitorText, _ message: MonitorMessage) {
    if text.monitor != nil, text.ok == nil { return greeting.complete(.success(text)) }
    if text.event != nil { return note(text, message) }
    guard text.ok != nil else { return }
    let answer = state.withLock { state -> PendingAnswer<MonitorText>? in
      if case .integer(let id)? = text.id { return state.pending.removeValue(forKey: id) }
      return nil
    }
    answer?.complete(.success(text))
    // A line that was no request cannot be told apart from others: the connection ends after it.
    if answer == nil, text.subscription == nil { part(text) }
  }

  /// The recorder ends the connection.
  private func part(_ text: MonitorText) {
    guard let failure = text.error?.clientError else { return }
    state.withLock { $0.failure = failure }
    greeting.complete(.failure(failure))
  }

  private func note(_ text: MonitorText, _ message: MonitorMessage) {
    if text.event == MonitorText.Event.ended.rawValue, text.subscription == nil { return part(text) }
    let pieces = state.withLock { state -> SnapshotPieces? in
      if let number = text.subscription, let pieces = state.snapshots[number] {
        return text.event == MonitorText.Event.ended.rawValue ? pieces : nil
      }
      let notices = state.messages.indices.filter { state.messages[$0].header.kind == .text }
      if notices.count >= MonitorConnection.mostNotices { state.messages.remove(at: notices[0]) }
      state.messages.append(message)
      bell.signal()
      return nil
    }
    pieces?.add(.failure(text.error?.clientError ?? gone(nil)))
  }

  /// Nothing will come any more.
  private func finish(_ failure: CamrecError?) {
    let (pending, pieces, reason) = state.withLock { state in
      state.isEnded = true
      state.failure = state.failure ?? failure
      bell.signal()
      defer { (state.pending, state.snapshots) = ([:], [:]) }
      return (Array(state.pending.values), Array(state.snapshots.values), state.failure)
    }
    let error = reason ?? gone(nil)
    for answer in pending + [greeting] { answer.complete(.failure(error)) }
    pieces.forEach { $0.add(.failure(error)) }
  }

  func gone(_ cause: String?) -> CamrecError {
    CamrecError(
      .device, "the recorder's monitor at '\(path)' did not answer: the recorder has ended or hangs", cause: cause)
  }
}
