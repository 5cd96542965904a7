import Platform
import Synchronization

/// The place of one reader of a slot, and the bell that the frame path rings for it.
final class TapSeat: Sendable {
  private let taken = Atomic<Bool>(false)
  /// Made by the first reader who sits here, and kept: the frame path may be about to ring it.
  private let bell = AtomicLazyReference<WakeUp>()
  private let listens = Atomic<Bool>(false)

  /// False if somebody sits here.
  func take() -> Bool { taken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged }

  /// False if there are no descriptors left for a bell.
  func prepare() -> Bool {
    if bell.load() == nil {
      guard let new = WakeUp() else { return false }
      _ = bell.storeIfNil(new)
    }
    bell.load()?.clear()
    listens.store(true, ordering: .releasing)
    return true
  }

  func leave() {
    listens.store(false, ordering: .releasing)
    taken.store(false, ordering: .releasing)
  }

  /// The frame path; does not wait.
  func ring() { if listens.load(ordering: .acquiring) { bell.load()?.ring() } }

  /// Waits for a frame.
  func wait(milliseconds: Int32) {
    bell.load()?.wait(orChangeIn: nil, orEndOf: [], milliseconds: milliseconds)
    bell.load()?.clear()
  }
}
