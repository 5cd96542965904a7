public import Frames
public import Recorder
import Synchronization

/// Keeps a control socket open for as long as a recorder runs. A socket that cannot be made never delays a recording:
/// the reason is reported once, and camrec tries again with growing pauses, up to a minute.
///
/// Thread: any; the socket is made on a separate thread, so that a hanging disk delays nobody.
public final class ControlKeeping: Sendable {
  public enum Note: Hashable, Sendable {
    /// There is no socket, for this reason; camrec tries again, unless the path itself is wrong (code `usage`).
    case missing(CamrecError)
    /// There is a socket now, after it was missing.
    case found
  }

  private struct State {
    var server: ControlServer?
    var isClosed = false
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
  /// - Parameter say: called when there is no socket, and when there is one after all; on a separate thread.
  public init(
    path: String, control: any RecorderControl, camrec: String, say: @escaping @Sendable (Note) -> Void
  ) {
    self.path = path
    let tried = MonotonicSemaphore()
    let worker = WorkThread(name: "camrec-socket") { [self] in
      var pause = ControlKeeping.firstPause, said: CamrecError?
      while true {
        do throws(CamrecError) {
          take(try ControlServer.open(path: path, control: control, camrec: camrec))
          if said != nil { say(.found) }
          tried.signal()
          return
        } catch {
          // Report the same reason only once.
          if said != error { say(.missing(error)) }
          said = error
        }
        tried.signal()
        if said?.code == .usage { return }
        if state.withLock({ $0.isClosed }) { return }
        bell.wait(within: pause)
        if state.withLock({ $0.isClosed }) { return }
        pause = min(ControlKeeping.longestPause, pause * 2)
      }
    }
    thread.withLock { $0 = worker }
    tried.wait(within: ControlKeeping.patience)
  }

  /// The socket's path; `nil` while there is no socket.
  public var openPath: String? { state.withLock { $0.server?.path } }

  private func take(_ server: ControlServer) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.server = server }
      return state.isClosed
    }
    if isLate { server.close() }
  }

  /// Removes the socket's file without waiting, right before `_exit`.
  public func removeFile() { state.withLock { $0.server }?.removeFile() }

  /// Like `ControlServer.close`; does not wait for a hanging disk.
  public func close() {
    let server = state.withLock { state in
      state.isClosed = true
      return state.server
    }
    bell.signal()
    server?.close()
    _ = thread.withLock { $0 }?.join(within: ControlKeeping.patience)
  }
}
