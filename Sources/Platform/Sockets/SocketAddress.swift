package import Frames
import Glibc

/// The path of a Unix socket.
package struct SocketAddress {
  package let path: String
  private var address = sockaddr_un()

  /// The longest path, in bytes: `sun_path` of unix(7), without the final zero.
  package static let limit = 107

  /// - Throws: code `usage` for a path that is empty or too long.
  package init(_ path: String) throws(CamrecError) {
    let bytes = Array(path.utf8)
    guard (1...SocketAddress.limit).contains(bytes.count), !bytes.contains(0) else {
      throw CamrecError(
        .usage, "the path of a socket must have 1 to \(SocketAddress.limit) bytes; '\(path)' has \(bytes.count)")
    }
    self.path = path
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Calls `bind` or `connect` with the address.
  func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Connects to whoever listens there.
  ///
  /// - Parameters:
  ///   - seconds: how long to wait at most: a program that accepts nobody holds up whoever connects.
  ///   - sending: how many seconds each call to send may take; 0: as long as it needs.
  package func connect(within seconds: Double, sending: Double = 0) throws(SocketCall.Failure) -> Int32 {
    let socket = try SocketAddress.makeSocket()
    SocketAddress.limitSending(socket, to: seconds)
    do {
      try SocketCall.perform("connect") { call { Glibc.connect(socket, $0, $1) } }
    } catch {
      Glibc.close(socket)
      throw error
    }
    SocketAddress.limitSending(socket, to: sending)
    return socket
  }

  private static func limitSending(_ socket: Int32, to seconds: Double) {
    withUnsafePointer(to: timeval(tv_sec: Int(seconds.rounded(.up)), tv_usec: 0)) {
      _ = setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, $0, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// A stream socket that no child inherits.
  static func makeSocket() throws(SocketCall.Failure) -> Int32 {
    try SocketCall.perform("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
  }
}
