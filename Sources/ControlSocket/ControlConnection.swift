import ControlCodec
import Frames
import Glibc
import Platform
import Recorder

/// One remote of the server, on its own thread: a slow reader delays nobody else.
///
/// Nothing is read while a line waits to be written. A watcher that falls behind gets the newest state once it catches
/// up. At most one line is held in each direction.
struct ControlConnection {
  private let socket: Int32
  private var conversation: ControlConversation
  private var incoming = LineBuffer(limit: ControlProtocol.lineLimit)
  private let note: (_ isBusy: Bool) -> Void

  /// Nanoseconds. A remote that does not read a line within this time is disconnected, and its place becomes free.
  private static let patience: Int64 = 10_000_000_000
  /// Bytes read from the socket at once.
  private static let piece = 4096

  /// - Parameter note: called when a request begins (true) and when it is done (false).
  init(_ socket: Int32, control: any RecorderControl, note: @escaping (_ isBusy: Bool) -> Void) {
    self.socket = socket
    self.note = note
    conversation = ControlConversation(with: control)
  }

  /// Serves the remote until it leaves, the server shuts its socket down, or it breaks the protocol.
  mutating func run(greeting: [UInt8]) {
    var isOpen = write(greeting)
    while isOpen {
      if let line = incoming.next() {
        note(true)
        if let answer = conversation.answer(line) { isOpen = write(answer) }
        note(false)
      } else if incoming.isTooLong {
        _ = write(ControlConversation.tooLong)
        isOpen = false
      } else {
        let wait: Int32 = conversation.isWatching ? ControlConnection.newsPause : -1
        if SocketCall.wait(for: POLLIN, on: socket, milliseconds: wait) { isOpen = read() }
        if let news = conversation.news(isLast: !isOpen) { isOpen = write(news) && isOpen }
      }
    }
  }

  private static let newsPause = Int32(ControlProtocol.newsInterval / .milliseconds(1))

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
    var rest = line[...]
    let begin = MonotonicTime.now()
    while !rest.isEmpty {
      let left = Int32(clamping: (ControlConnection.patience - (MonotonicTime.now() - begin)) / 1_000_000)
      guard left > 0, SocketCall.wait(for: POLLOUT, on: socket, milliseconds: left) else { return false }
      guard let sent = try? SocketCall.send(rest, to: socket, atOnce: true) else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
