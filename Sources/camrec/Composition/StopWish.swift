import Frames
import Synchronization

/// How often a recorder was asked to end, and when last. Thread: any.
final class StopWish: Sendable {
  private let value = Mutex<(count: Int, latest: MonotonicTime?)>((0, nil))

  var count: Int { value.withLock { $0.count } }
  var latest: MonotonicTime? { value.withLock { $0.latest } }
  func utter() { value.withLock { $0 = ($0.count + 1, .now()) } }
}
