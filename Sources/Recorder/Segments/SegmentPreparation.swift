import Frames
import Platform
import Synchronization

/// The preparation of a recording's next file: made on a separate thread, requested by the write thread, or by the
/// recorder's for a film of another camera.
final class SegmentPreparation: Sendable {
  typealias Outcome = Result<any PreparedSegment, CamrecError>

  private let outcome: Shared
  private let thread: WorkThread

  private final class Shared: Sendable {
    let value = Mutex<(made: Outcome?, isGivenUp: Bool)>((nil, false))
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
      let isGivenUp = outcome.value.withLock { value in
        value.made = made
        return value.isGivenUp
      }
      if isGivenUp, case .success(let file) = made { file.discard() }
    }
  }

  /// `nil` while it is being made.
  var ready: Outcome? { outcome.value.withLock { $0.made } }

  /// Nobody wants the file any more: it is removed again, as soon as it is there.
  func giveUp() {
    let made = outcome.value.withLock { value in
      value.isGivenUp = true
      return value.made
    }
    if case .success(let file)? = made { file.discard() }
  }

  /// Waits for the file.
  func result() -> Outcome? {
    thread.join()
    return ready
  }
}
