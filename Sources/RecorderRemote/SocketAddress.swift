package import Frames
package import Glibc
package import Platform

/// The path of a Unix socket.
package struct SocketAddress {
  package let path: String
  private var address = sockaddr_un()

  /// The longest path, in bytes: `sun_path` of unix(7), without the final zero.
  package static let limit = 107

  /// - Parameter name: of the socket, for people.
  /// - Throws: code `usage` for a path that is empty or too long.
  package init(_ path: String, of name: String = "control socket") throws(CamrecError) {
    let bytes = Array(path.utf8)
    guard (1...SocketAddress.limit).contains(bytes.count), !bytes.contains(0) else {
      throw CamrecError(
        .usage, "the path of a \(name) must have 1 to \(SocketAddress.limit) bytes; '\(path)' has \(bytes.count)")
    }
    self.path = path
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Calls `bind` or `connect` with the address.
  package func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// A stream socket that no child inherits.
  package static func makeSocket() throws(SocketCall.Failure) -> Int32 {
    try SocketCall.perform("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
  }
}
