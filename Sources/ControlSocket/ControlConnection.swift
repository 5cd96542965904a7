import ControlCodec
import Frames
import Platform
import Recorder

/// One remote of the server, on its own thread: a slow reader delays nobody else.
///
/// Nothing is read while a line waits to be written. A watcher that falls behind gets the newest state once it catches
/// up. At most one line is held in each direction, and the answers to as many requests as a remote may have under way.
struct ControlConnection {
  private let socket: Int32
  /// Rung when there is something to send.
  private let bell: WakeUp
  private var conversation: ControlConversation
  private var incoming = LineBuffer(limit: ControlProtocol.lineLimit)
  private let note: (RemoteTable.Note) -> Void
  /// As noted last.
  private var isBusy = false, isWatching = false
  /// The remote sends no more, or is not listened to any more.
  private var isAtEnd = false

  /// Nanoseconds. A remote that does not read a line within this time is disconnected, and its place becomes free.
  private static let patience: Int64 = 10_000_000_000
  /// Bytes read from the socket at once.
  private static let piece = 4096

  /// - Parameters:
  ///   - bell: the conversation's.
  ///   - note: called with what the remote is doing, when that changes.
  init(
    _ socket: Int32, _ bell: WakeUp, _ conversation: ControlConversation,
    note: @escaping (RemoteTable.Note) -> Void
  ) {
    self.socket = socket
    self.bell = bell
    self.conversation = conversation
    self.note = note
  }

  /// Serves the remote until it leaves, the server shuts its socket down, or it breaks the protocol.
  mutating func run(greeting: [UInt8]) {
    var isOpen = write(greeting)
    while isOpen { isOpen = goOn() }
    conversation.end()
  }

  /// Does what comes next.
  ///
  /// - Returns: whether the connection goes on.
  private mutating func goOn() -> Bool {
    if let answer = conversation.nextAnswer() { return send(answer) }
    if conversation.takesRequests {
      if let line = incoming.next() { return take(line) }
      if incoming.isTooLong {
        guard write(ControlConversation.tooLong), conversation.isWaiting else { return false }
        incoming = LineBuffer(limit: ControlProtocol.lineLimit)
        isAtEnd = true
      }
    }
    if isAtEnd, !conversation.isWaiting {
      if let news = conversation.lastNews() { _ = write(news) }
      return false
    }
    if let news = conversation.news() { return write(news) }
    return wait()
  }

  private mutating func take(_ line: [UInt8]) -> Bool {
    if !isBusy { note(.busy(true)) }
    isBusy = true
    let answer = conversation.answer(line)
    noteChanges()
    guard let answer else { return true }
    return write(answer)
  }

  /// Whoever has read an answer may rely on what has been noted.
  private mutating func send(_ answer: [UInt8]) -> Bool {
    noteChanges()
    return write(answer)
  }

  /// Waits for a request, for something to send, or for a deadline.
  private mutating func wait() -> Bool {
    let left = conversation.deadline.map { max(0, $0 - MonotonicTime.now()) }
    let ready = SocketCall.wait(
      reading: !isAtEnd && conversation.takesRequests, from: socket, or: bell,
      milliseconds: left.map { Int32(clamping: $0 / 1_000_000 + 1) } ?? -1)
    if ready.isWoken { bell.clear() }
    if ready.canRead {
      isAtEnd = !read()
      return true
    }
    return !ready.isGone
  }

  private mutating func noteChanges() {
    let (isBusy, isWatching) = (conversation.isWaiting, conversation.isWatching)
    if isBusy != self.isBusy { note(.busy(isBusy)) }
    if isWatching != self.isWatching { note(.watching(isWatching)) }
    (self.isBusy, self.isWatching) = (isBusy, isWatching)
  }

  /// - Returns: whether there may be more.
  private mutating func read() -> Bool {
    guard let bytes = try? SocketCall.receive(from: socket, atMost: ControlConnection.piece), !bytes.isEmpty else {
      return false
    }
    incoming.append(bytes)
    return true
  }

  /// - Returns: whether all of it was sent.
  private func write(_ line: [UInt8]) -> Bool {
    var rest = line[...], isStalled = false
    let end = MonotonicTime.now().advanced(by: ControlConnection.patience)
    defer { if isStalled { note(.stalled(false)) } }
    while !rest.isEmpty {
      do throws(SocketCall.Failure) {
        rest = rest.dropFirst(try SocketCall.send(rest, to: socket, atOnce: true))
      } catch {
        let left = Int32(clamping: (end - MonotonicTime.now()) / 1_000_000)
        guard error.isWait, left > 0 else { return false }
        if !isStalled { note(.stalled(true)) }
        isStalled = true
        guard SocketCall.waitToSend(on: socket, milliseconds: left) else { return false }
      }
    }
    return true
  }
}
