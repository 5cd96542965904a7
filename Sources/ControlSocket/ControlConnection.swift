import Glibc
import Recorder

/// One remote at the server, on a thread of its own: whoever reads slowly holds up nobody else.
///
/// Nothing is read while something is waiting to be written, and a watcher who does not keep up gets the newest state
/// when he does: what is held is one line each way.
struct ControlConnection {
  private let socket: Int32
  private var conversation: ControlConversation
  private var incoming = LineBuffer(limit: ControlProtocol.lineLimit)

  /// A remote that takes nothing for so long is given up: its place is another's.
  private static let patience: Int32 = 10_000
  /// Bytes that are taken from the socket at once.
  private static let piece = 4096

  init(_ socket: Int32, control: any RecorderControl) {
    self.socket = socket
    conversation = ControlConversation(with: control)
  }

  /// Until the remote goes, the server shuts its socket down, or it does what cannot be.
  mutating func run(greeting: [UInt8]) {
    var isOpen = write(greeting)
    while isOpen {
      if let line = incoming.next() {
        if let answer = conversation.answer(line) { isOpen = write(answer) }
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

  /// - Returns: that there may be more.
  private mutating func read() -> Bool {
    guard let bytes = try? SocketCall.receive(from: socket, atMost: ControlConnection.piece), !bytes.isEmpty else {
      return false
    }
    incoming.append(bytes)
    return true
  }

  /// - Returns: that all of it has gone.
  private func write(_ line: [UInt8]) -> Bool {
    var rest = line[...]
    while !rest.isEmpty {
      guard SocketCall.wait(for: POLLOUT, on: socket, milliseconds: ControlConnection.patience) else { return false }
      guard let sent = try? SocketCall.send(rest, to: socket, atOnce: true) else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
