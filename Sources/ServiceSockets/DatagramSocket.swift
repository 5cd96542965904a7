import Glibc

/// Sends datagrams to a Unix socket that another program has bound. Thread: any.
public final class DatagramSocket: Sendable {
  private let descriptor: Int32
  private let path: [UInt8]

  /// Bytes of `sun_path`, unix(7).
  static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  /// - Parameter path: absolute, or behind an `@` a name in the abstract name space, as sd_notify(3) writes it.
  /// - Returns: `nil` for a path that is neither or too long, and where there is no socket to be had.
  public init?(path: String) {
    var bytes = Array(path.utf8)
    guard bytes.count > 1, bytes.count < DatagramSocket.longestPath, !bytes.contains(0) else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "/"): break
    case UInt8(ascii: "@"): bytes[0] = 0
    default: return nil
    }
    self.path = bytes
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Waits for nothing: what does not fit now is not sent.
  ///
  /// - Returns: that it was taken.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    // An abstract name ends where the length says, and not at a zero.
    let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + path.count)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    while true {
      let sent = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(descriptor, bytes, bytes.count, flags, $0, length)
        }
      }
      if sent == bytes.count { return true }
      if sent >= 0 || errno != EINTR { return false }
    }
  }
}
