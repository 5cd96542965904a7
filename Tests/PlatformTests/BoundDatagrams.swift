import Foundation
import Testing

/// A datagram socket in a folder of its own, or in the abstract name space, that keeps what comes.
final class BoundDatagrams {
  /// As `NOTIFY_SOCKET` names it.
  let path: String
  private let descriptor: Int32
  private let folder: URL

  init(isAbstract: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = isAbstract ? "@camrec-test-\(UUID().uuidString)" : folder.appendingPathComponent("n.sock").path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: name)
      if isAbstract { $0[0] = 0 }
    }
    let length = socklen_t(2 + name.count + (isAbstract ? 0 : 1))
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(result == 0, "bind: \(errno)")
  }

  deinit {
    close(descriptor)
    try? FileManager.default.removeItem(at: folder)
  }

  /// The next datagram that has come; `nil` where there is none.
  func take() -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : Array(room[..<count])
  }

  func takeText() -> String? { take().map { String(decoding: $0, as: UTF8.self) } }
}
