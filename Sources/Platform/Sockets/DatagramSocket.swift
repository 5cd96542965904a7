import Glibc

/// Sends datagrams to a Unix socket that another program has bound. Thread: any.
public final class DatagramSocket: Sendable {
  private let descriptor: Int32
  private let path: [UInt8]

  /// Bytes of `sun_path`, unix(7).
  static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  /// - Parameter path: an absolute path, or `@` and a name in the abstract name space, as in sd_notify(3).
  /// - Returns: `nil` if the path is neither or is too long, or if the system cannot provide a socket.
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

  /// Sends a datagram without waiting; one that does not fit now is not sent.
  ///
  /// - Returns: whether it was accepted.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    // The length, not a zero, ends an abstract name.
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
