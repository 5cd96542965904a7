import Glibc
import Synchronization

/// A client's connected socket: lines go out whole and one at a time, on the threads that make them, and one thread
/// reads.
///
/// Thread: any.
package final class ClientSocket: Sendable {
  private let descriptor: Int32
  /// Held while a line is sent.
  private let turn = Mutex(())

  /// - Parameter descriptor: connected; this object closes it.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  // Whoever sends or reads holds this object, so nobody uses the number any more.
  deinit { Glibc.close(descriptor) }

  /// Ends the connection; does not wait.
  package func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// - Returns: why the line has not gone.
  package func send(_ line: [UInt8]) -> SocketCall.Failure? {
    turn.withLock { _ in
      var rest = line[...]
      while !rest.isEmpty {
        do throws(SocketCall.Failure) {
          rest = rest.dropFirst(try SocketCall.send(rest, to: descriptor))
        } catch {
          // Half a line would spoil the next one.
          if rest.count < line.count { close() }
          return error
        }
      }
      return nil
    }
  }

  /// Waits for bytes.
  ///
  /// - Returns: `nil` if the other side has closed the connection.
  package func receive(atMost count: Int) throws(SocketCall.Failure) -> [UInt8]? {
    do {
      let bytes = try SocketCall.receive(from: descriptor, atMost: count)
      return bytes.isEmpty ? nil : bytes
    } catch {
      if error.number == ECONNRESET { return nil }
      throw error
    }
  }
}
