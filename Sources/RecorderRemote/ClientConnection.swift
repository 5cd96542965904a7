import ControlCodec
import Frames
import Platform
import RecorderAPI
import Synchronization

/// A remote's connection: requests go out on the threads that make them, and one thread reads what comes.
///
/// Thread: any.
final class ClientConnection: Sendable {
  /// The recorder's state as a reader of updates finds it.
  enum Reading {
    case update(StateUpdate)
    /// Nothing that the reader does not know.
    case nothing
    /// There are no more updates; without a failure, because the recorder has ended.
    case ended(CamrecError?)
  }

  private struct State {
    var given: Int64 = 0
    /// Requests without an answer, in the order in which they were made.
    var pending: [(id: Int64, answer: PendingAnswer<ControlMessage>)] = []
    /// The whole state, and the update that has led to it.
    var known: StateUpdate?
    var latest: StateUpdate?
    var readers: [ObjectIdentifier: MonotonicSemaphore] = [:]
    /// The answer to it is a state that no generation is told of.
    var plainWatch: Int64?
    var isEnded = false
    /// Why the recorder has ended the connection, or what was wrong with it.
    var failure: CamrecError?
  }

  let path: String
  /// The recorder's first line.
  let greeting = PendingAnswer<ControlMessage>()
  private let socket: ClientSocket
  private let state = Mutex(State())

  /// The largest answer, in bytes: a state is a few kilobytes, most of it file names.
  private static let answerLimit = 1 << 20
  /// Seconds until a connection on which nothing can be sent has to show why.
  private static let farewell = 5.0

  /// Begins to read.
  ///
  /// - Parameter socket: connected; this object closes it.
  init(_ socket: Int32, _ path: String) {
    self.socket = ClientSocket(socket)
    self.path = path
    _ = WorkThread(name: "camrec-answers") { [self] in listen() }
  }

  /// Ends the connection; does not wait.
  func close() { socket.close() }

  // MARK: Requests

  /// Sends a request and waits for the answer, which may be a refusal.
  ///
  /// - Parameters:
  ///   - seconds: how long to wait at most.
  ///   - isPlainWatch: makes this remote a watcher of version 1.
  ///   - onSilence: called each time that long has passed without an answer: `nil` to wait on, or why not.
  ///   - line: the request with an id.
  /// - Throws: code `device` if the recorder goes away or does not answer in that time.
  func ask(
    within seconds: Double, isPlainWatch: Bool = false, onSilence: (() -> CamrecError?)? = nil,
    _ line: (_ id: Int64) -> [UInt8]
  ) throws(CamrecError) -> ControlMessage {
    let answer = PendingAnswer<ControlMessage>()
    let id = state.withLock { state -> Int64? in
      guard !state.isEnded else { return nil }
      state.given += 1
      state.pending.append((state.given, answer))
      if isPlainWatch { state.plainWatch = state.given }
      return state.given
    }
    guard let id else { throw state.withLock { $0.failure } ?? gone(nil) }
    defer { state.withLock { $0.pending.removeAll { $0.id == id } } }
    // Where nothing can be sent, the recorder may have said why before it closed the connection.
    let failure = socket.send(line(id))
    var result = answer.wait(within: failure == nil ? seconds : ClientConnection.farewell)
    while result == nil, failure == nil, let onSilence {
      let reason = onSilence()
      // It may have come meanwhile.
      result = answer.wait(within: reason == nil ? seconds : 0)
      if result == nil, let reason { throw reason }
    }
    guard let outcome = result else { throw gone(failure?.description) }
    return try outcome.get()
  }

  /// Sends a request whose answer nobody waits for.
  func tell(_ line: (_ id: Int64) -> [UInt8]) {
    let id = state.withLock { state in
      state.given += 1
      return state.given
    }
    _ = socket.send(line(id))
  }

  // MARK: Updates

  func addReader(_ reader: AnyObject, _ signal: MonotonicSemaphore) {
    state.withLock { $0.readers[ObjectIdentifier(reader)] = signal }
  }

  func removeReader(_ reader: AnyObject) { state.withLock { $0.readers[ObjectIdentifier(reader)] = nil } }

  /// - Parameter generation: the reader's; `nil` if it has no state yet.
  func reading(after generation: Int?) -> Reading {
    state.withLock { state in
      if let known = state.known, known.generation != generation {
        if let latest = state.latest, !latest.isWhole, latest.generation - 1 == generation { return .update(latest) }
        return .update(known)
      }
      return state.isEnded ? .ended(state.failure) : .nothing
    }
  }

  // MARK: What comes

  private func listen() {
    var incoming = LineBuffer(limit: ClientConnection.answerLimit), hasGreeted = false
    var failure: CamrecError?
    do throws(CamrecError) {
      while let message = try read(&incoming) {
        if hasGreeted { take(message) } else { greeting.complete(.success(message)) }
        hasGreeted = true
      }
    } catch {
      failure = error
    }
    finish(failure)
  }

  private func take(_ message: ControlMessage) {
    let answer = state.withLock { state -> PendingAnswer<ControlMessage>? in
      let answered = message.ok == nil ? nil : take(answer: message, &state)
      if let update = message.update {
        note(update, &state)
      } else if let plain = message.state, answered.map({ $0.id == state.plainWatch }) ?? (message.event != nil) {
        note(StateUpdate(plain, generation: (state.known?.generation ?? 0) + 1), &state)
      }
      return answered?.answer
    }
    answer?.complete(.success(message))
  }

  /// Finds the request that a line answers. A line without an id answers the oldest; without any, it says why the
  /// recorder ends the connection.
  private func take(
    answer message: ControlMessage, _ state: inout State
  ) -> (id: Int64, answer: PendingAnswer<ControlMessage>)? {
    let place: Int?
    if case .integer(let id)? = message.id {
      place = state.pending.firstIndex { $0.id == id }
    } else {
      place = state.pending.isEmpty ? nil : 0
      if place == nil { state.failure = message.error?.clientError }
    }
    return place.map { state.pending.remove(at: $0) }
  }

  private func note(_ update: StateUpdate, _ state: inout State) {
    guard let known = update.applied(to: state.known) else { return }
    (state.known, state.latest) = (known, update)
    state.readers.values.forEach { $0.signal() }
  }

  /// Nothing will come any more.
  private func finish(_ failure: CamrecError?) {
    let (pending, reason) = state.withLock { state in
      state.isEnded = true
      state.failure = state.failure ?? failure
      state.readers.values.forEach { $0.signal() }
      defer { state.pending = [] }
      return (state.pending.map(\.answer), state.failure)
    }
    for answer in pending + [greeting] { answer.complete(.failure(reason ?? gone(nil))) }
  }

  /// - Returns: `nil` if the recorder has closed the connection.
  private func read(_ incoming: inout LineBuffer) throws(CamrecError) -> ControlMessage? {
    while true {
      if let line = incoming.next() { return try ControlMessage(line: line) }
      if incoming.isTooLong { throw CamrecError(.device, "the program that answers at '\(path)' is not a recorder") }
      let bytes: [UInt8]?
      do {
        bytes = try socket.receive(atMost: 1 << 16)
      } catch {
        throw gone(error.description)
      }
      guard let bytes else { return nil }
      incoming.append(bytes)
    }
  }

  func gone(_ cause: String?) -> CamrecError {
    CamrecError(.device, "the recorder at '\(path)' did not answer: it has ended or hangs", cause: cause)
  }
}

extension ControlMessage.Failure {
  /// With field and reason, and a sentence without options, from a recorder that tells them: after a hello.
  var clientError: CamrecError {
    let error = recorderError
    return CamrecError(
      error.code, about: error.field, Sentence(text: error.message), cause: error.cause, reason: error.reason)
  }
}
