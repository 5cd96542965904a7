import Synchronization

/// How often somebody has asked a recorder to end. Thread: any.
final class StopWish: Sendable {
  private let value = Atomic<Int>(0)

  var count: Int { value.load(ordering: .acquiring) }
  func utter() { value.add(1, ordering: .acquiringAndReleasing) }
}
