package import Frames
import Glibc
import Synchronization

/// A Unix socket on which this process listens, with its file.
///
/// Thread: any.
package final class ListeningSocket: Sendable {
  /// For `SocketPoll`; only this object closes it.
  package let descriptor: Int32
  private let file: SocketFile
  private let isClosed = Mutex(false)

  /// Makes the socket, mode 0660, and its folder if that is missing, mode 0750.
  ///
  /// - Throws: code `output` if the socket cannot be made or belongs to another recorder.
  package init(at address: SocketAddress, as purpose: SocketFile.Purpose) throws(CamrecError) {
    let listener: Int32
    do {
      listener = try SocketAddress.makeSocket()
    } catch {
      throw CamrecError(.output, "cannot create a \(purpose.name)", cause: error.description)
    }
    do {
      file = try SocketFile.listen(listener, at: address, as: purpose)
    } catch {
      Glibc.close(listener)
      throw error
    }
    descriptor = listener
  }

  deinit { close() }

  package var path: String { file.path }

  /// Removes the file, unless it belongs to another process by now.
  package func removeFile() { file.remove() }

  /// The next connection, which no child inherits; waits for it. The caller closes it.
  package func accept() throws(SocketCall.Failure) -> Int32 {
    try SocketCall.perform("accept") { Descriptors.accept(descriptor) }
  }

  /// Ends the wait for a connection, and all later ones.
  package func shutDown() {
    isClosed.withLock { isClosed in
      if !isClosed { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Calling it twice has no further effect. Nobody may accept at that time.
  package func close() {
    isClosed.withLock { isClosed in
      if !isClosed { _ = Glibc.close(descriptor) }
      isClosed = true
    }
  }
}
