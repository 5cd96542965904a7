import Foundation
import Glibc
import Testing

/// A subscriber that does as it likes with its socket.
final class RawSubscriber {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }

  deinit { Glibc.close(descriptor) }

  /// - Returns: whether it went.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Says that nothing more will come.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Everything until the server closes the connection.
  func rest() -> [UInt8] {
    var bytes: [UInt8] = [], room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &room, room.count, 0)
      if count <= 0 { return bytes }
      bytes += room.prefix(count)
    }
  }

  /// Takes what has come.
  func drain() {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT)) > 0 {}
  }

  /// Whether the server closes the connection in that time.
  func endsWithin(seconds: Double) -> Bool {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var limit = timeval(tv_sec: Int(seconds), tv_usec: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    while true {
      let count = recv(descriptor, &room, room.count, 0)
      if count == 0 { return true }
      if count < 0 { return errno == ECONNRESET || errno == EPIPE }
    }
  }
}
