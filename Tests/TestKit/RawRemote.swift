import Foundation
import Glibc

/// A remote, or a listener, that does as it likes with its socket.
public final class RawRemote {
  public private(set) var descriptor: Int32
  private var arrived: [UInt8] = []

  public struct NoSocket: Error {}

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  public convenience init(connectedTo path: String) throws {
    self.init(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    guard RawRemote.call(path, { connect(descriptor, $0, $1) }) == 0 else { throw NoSocket() }
  }

  /// Bound to a path, as a recorder's that has not begun to listen, or was killed.
  public convenience init(boundTo path: String) throws {
    self.init(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    guard RawRemote.call(path, { bind(descriptor, $0, $1) }) == 0 else { throw NoSocket() }
  }

  deinit { close() }

  public func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Says that nothing more will come; answers can still be read.
  public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  public func listen() { Glibc.listen(descriptor, 4) }

  public func accept() -> RawRemote { RawRemote(Glibc.accept(descriptor, nil, nil)) }

  /// - Parameter atOnce: what does not fit now stays away.
  /// - Returns: how many bytes went, −1 for none.
  @discardableResult
  public func send(_ bytes: [UInt8], atOnce: Bool = false) -> Int {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | (atOnce ? Int32(MSG_DONTWAIT) : 0))
  }

  public func send(_ text: String) { send(Array(text.utf8)) }

  /// The next line; `nil` at the end.
  public func line() -> String? {
    while true {
      if let end = arrived.firstIndex(of: UInt8(ascii: "\n")) {
        defer { arrived.removeFirst(end + 1) }
        return String(decoding: arrived[..<end], as: UTF8.self)
      }
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(descriptor, &piece, piece.count, 0)
      if count <= 0 { return nil }
      arrived += piece.prefix(count)
    }
  }

  private static func call(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
