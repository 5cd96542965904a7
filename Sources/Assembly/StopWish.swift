package import Frames
import Platform
import Synchronization

/// How often a recorder was asked to end, and when last. Thread: any.
package final class StopWish: Sendable {
  package init() {}

  private let value = Mutex<(count: Int, latest: MonotonicTime?)>((0, nil))

  package var count: Int { value.withLock { $0.count } }
  package var latest: MonotonicTime? { value.withLock { $0.latest } }
  package func utter() { value.withLock { $0 = ($0.count + 1, .now()) } }
}
