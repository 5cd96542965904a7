public import Frames
public import Recorder
import Synchronization

/// Keeps a control socket open for as long as a recorder runs. One that cannot be made holds up no recording: that is
/// said once, and it is tried again with growing pauses, up to a minute.
///
/// Thread: any; the socket is made on one of its own, so that a disk that hangs holds up nobody.
public final class ControlKeeping: Sendable {
  public enum Note: Hashable, Sendable {
    /// There is no socket, for this reason, and it is tried again.
    case missing(CamrecError)
    /// There is one now, after it was missing.
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

  /// Seconds between two tries: the first, doubled each time, and the longest.
  private static let firstPause = 1.0, longestPause = 60.0
  /// Seconds for which a start waits for the first try, and an end for one that is under way.
  private static let patience = 1.0

  /// Makes the socket, or begins to try.
  ///
  /// - Parameter say: is told when there is no socket, and when there is one after all; on a thread of its own.
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
          // The same again is no news.
          if said != error { say(.missing(error)) }
          said = error
        }
        tried.signal()
        if state.withLock({ $0.isClosed }) { return }
        bell.wait(within: pause)
        if state.withLock({ $0.isClosed }) { return }
        pause = min(ControlKeeping.longestPause, pause * 2)
      }
    }
    thread.withLock { $0 = worker }
    tried.wait(within: ControlKeeping.patience)
  }

  private func take(_ server: ControlServer) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.server = server }
      return state.isClosed
    }
    if isLate { server.close() }
  }

  /// Takes the socket's file away and waits for nothing, right before `_exit`.
  public func removeFile() { state.withLock { $0.server }?.removeFile() }

  /// As `ControlServer.close`; does not wait for a disk that hangs.
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
