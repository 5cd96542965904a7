import Frames
import Glibc

/// Where a Unix socket lies.
struct SocketAddress {
  let path: String
  private var address = sockaddr_un()

  /// Bytes of a path: `sun_path` of unix(7), less the byte that ends it.
  static let limit = 107

  /// - Throws: code `usage` for a path that is empty or too long.
  init(_ path: String) throws(CamrecError) {
    let bytes = Array(path.utf8)
    guard (1...SocketAddress.limit).contains(bytes.count), !bytes.contains(0) else {
      throw CamrecError(
        .usage, "the path of a control socket has 1 to \(SocketAddress.limit) bytes; '\(path)' has \(bytes.count)")
    }
    self.path = path
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Calls `bind` or `connect` with it.
  func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// A stream socket that is inherited by nobody.
  static func makeSocket() throws(SocketCall.Failure) -> Int32 {
    try SocketCall.perform("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
  }
}
