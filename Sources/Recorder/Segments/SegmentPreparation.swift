import Frames
import Platform
import Synchronization

/// The preparation of a recording's next file: made on a separate thread, requested by the write thread.
final class SegmentPreparation: Sendable {
  typealias Outcome = Result<any PreparedSegment, CamrecError>

  private let outcome: Shared
  private let thread: WorkThread

  private final class Shared: Sendable {
    let value = Mutex<Outcome?>(nil)
  }

  init(_ prepare: @escaping @Sendable () throws(CamrecError) -> any PreparedSegment) {
    let outcome = Shared()
    self.outcome = outcome
    thread = WorkThread(name: "camrec-segment") {
      let made: Outcome
      do throws(CamrecError) {
        made = .success(try prepare())
      } catch {
        made = .failure(error)
      }
      outcome.value.withLock { $0 = made }
    }
  }

  /// `nil` while it is being made.
  var ready: Outcome? { outcome.value.withLock { $0 } }

  /// Waits for the file.
  func result() -> Outcome? {
    thread.join()
    return ready
  }
}
