public import Frames
import Platform
import Synchronization

/// A server on a Unix socket.
public protocol SocketServer: AnyObject, Sendable {
  var path: String { get }
  /// Removes the socket's file without waiting, right before `_exit`.
  func removeFile()
  /// Removes the socket, and says goodbye. Calling it twice has no further effect.
  func close()
}

/// Keeps a socket open for as long as a recorder runs. A socket that cannot be made never delays a recording: the
/// reason is reported once, and camrec tries again with growing pauses, up to a minute.
///
/// Thread: any; the socket is made on a separate thread, so that a hanging disk delays nobody.
public final class SocketKeeping: Sendable {
  public enum Note: Hashable, Sendable {
    /// There is no socket, for this reason; camrec tries again, unless the path itself is wrong (code `usage`).
    case missing(CamrecError)
    /// There is a socket now, after it was missing or the start did not wait for it.
    case found
  }

  private struct State {
    var server: (any SocketServer)?
    var isClosed = false
    /// The start has not waited for the socket.
    var isAwaited = false
    var tries = (failed: 0, isOver: false)
  }

  public let path: String
  private let state = Mutex(State())
  private let bell = MonotonicSemaphore()
  private let thread = Mutex<WorkThread?>(nil)

  /// Seconds between two tries: the first pause, doubled each time, and the longest.
  private static let firstPause = 1.0, longestPause = 60.0
  /// Seconds for which a start waits for the first try, and an end for a try under way.
  private static let patience = 1.0

  /// Makes the socket, or begins to try.
  ///
  /// - Parameters:
  ///   - open: makes the socket; called on a separate thread, several times if it fails.
  ///   - say: called when there is no socket, and when there is one after all; on a separate thread.
  public init(
    path: String, open: @escaping @Sendable (_ path: String) throws(CamrecError) -> any SocketServer,
    say: @escaping @Sendable (Note) -> Void
  ) {
    self.path = path
    let tried = MonotonicSemaphore()
    let worker = WorkThread(name: "camrec-socket") { [self] in
      defer { state.withLock { $0.tries.isOver = true } }
      var pause = SocketKeeping.firstPause, said: CamrecError?
      while true {
        do throws(CamrecError) {
          let isAwaited = take(try open(path))
          if said != nil || isAwaited { say(.found) }
          tried.signal()
          return
        } catch {
          // Report the same reason only once.
          if said != error { say(.missing(error)) }
          said = error
          state.withLock { $0.tries.failed += 1 }
        }
        tried.signal()
        if said?.code == .usage { return }
        if state.withLock({ $0.isClosed }) { return }
        bell.wait(within: pause)
        if state.withLock({ $0.isClosed }) { return }
        pause = min(SocketKeeping.longestPause, pause * 2)
      }
    }
    thread.withLock { $0 = worker }
    guard !tried.wait(within: SocketKeeping.patience) else { return }
    state.withLock { $0.isAwaited = $0.server == nil }
  }

  /// The socket's path; `nil` while there is no socket.
  public var openPath: String? { state.withLock { $0.server?.path } }

  /// Tries that have failed, and whether there is no further one.
  package var tries: (failed: Int, isOver: Bool) { state.withLock { $0.tries } }

  /// - Returns: whether the start has gone on without it.
  private func take(_ server: any SocketServer) -> Bool {
    let (isLate, isAwaited) = state.withLock { state in
      if !state.isClosed { state.server = server }
      return (state.isClosed, state.isAwaited)
    }
    if isLate { server.close() }
    return isAwaited
  }

  /// Removes the socket's file without waiting, right before `_exit`.
  public func removeFile() { state.withLock { $0.server }?.removeFile() }

  /// Closes the server; does not wait for a hanging disk.
  public func close() {
    let server = state.withLock { state in
      state.isClosed = true
      return state.server
    }
    bell.signal()
    server?.close()
    _ = thread.withLock { $0 }?.join(within: SocketKeeping.patience)
  }
}
