import ControlCodec
import Foundation
import Glibc
import Platform
import RecorderAPI
import TestKit
import Testing

/// A monitor socket on which a test says what it likes to the first that connects.
final class PretendedMonitor {
  let path: String
  private let folder: TemporaryFolder

  /// - Parameter talk: called on a thread of its own; the connection ends with it.
  init(_ talk: @escaping @Sendable (Peer) throws -> Void) throws {
    folder = try TemporaryFolder()
    path = folder.path("1.monitor")
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listener, 4) == 0)
    _ = WorkThread(name: "pretender") {
      let peer = Peer(accept(listener, nil, nil))
      Glibc.close(listener)
      do { try talk(peer) } catch { Issue.record("\(error)") }
    }
  }

  /// The other end of the connection. One thread.
  final class Peer {
    private let descriptor: Int32
    private var lines = LineBuffer(limit: MonitorProtocol.lineLimit)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    func send(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        guard let count = try? SocketCall.send(rest, to: descriptor) else { return }
        rest = rest.dropFirst(count)
      }
    }

    func send(_ message: MonitorMessage) { send(message.bytes) }

    func say(_ text: MonitorText) { send(text.message(sequence: 1)) }

    func greet() { say(.greeting(camrec: "1.2.3", pid: 4711, name: "front")) }

    /// The next request and its id; `nil` at the end.
    func request() throws -> (request: MonitorRequest, id: JSONValue?)? {
      while true {
        if let line = lines.next() {
          let fields = try MonitorRequest.fields(ofLine: line)
          return (try MonitorRequest(fields: fields), fields["id"])
        }
        let bytes = try SocketCall.receive(from: descriptor, atMost: 4096)
        if bytes.isEmpty { return nil }
        lines.append(bytes)
      }
    }

    /// Waits for a request and says yes.
    @discardableResult
    func agree(size: (width: Int, height: Int)? = nil, bytes: Int? = nil) throws -> MonitorRequest? {
      guard let (request, id) = try request() else { return nil }
      say(.answer(request.subscription, id: id, size: size, bytes: bytes))
      return request
    }
  }
}
