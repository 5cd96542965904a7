import Foundation
package import Frames
import Synchronization

/// How loud the sound is, for who looks at a meter: the peak, which falls slowly, the highest of the last seconds, and
/// whether it was too loud.
///
/// The fall is that of a peak programme meter of type I: 20 dB in 1.7 s (IEC 60268-10). One that is too loud reaches the
/// largest number of its format.
///
/// Thread: one at a time. Allocates nothing.
package struct LevelMeter {
  /// 0…1, of full scale.
  package private(set) var peak = 0.0
  package private(set) var held = 0.0
  package private(set) var clippedAt: MonotonicTime?
  private var heldAt = MonotonicTime(nanoseconds: 0)
  private var last: MonotonicTime?

  package init() {}

  /// dB in a second.
  private static let fall = 20 / 1.7
  /// Nanoseconds for which the highest stands.
  private static let hold: Int64 = 2_000_000_000
  /// 16 bits reach 32767 of 32768.
  private static let full = 32767.0 / 32768

  /// - Parameter block: the largest sample of a block, of full scale; sound in floating point may have more.
  package mutating func hear(_ block: Double, at now: MonotonicTime) {
    let block = block.isFinite ? min(max(block, 0), 1) : (block.isNaN ? 0 : 1)
    if let last { peak *= pow(10, -LevelMeter.fall * Double(max(0, now - last)) * 1e-9 / 20) }
    last = now
    peak = max(peak, block)
    if block >= held || now - heldAt >= LevelMeter.hold { (held, heldAt) = (peak, now) }
    if block >= LevelMeter.full { clippedAt = now }
  }
}

/// Where the sound thread leaves what its meter says. Thread: one that writes, any that read; nobody waits.
final class PublishedLevel: Sendable {
  /// Peak and what is held of it, as two numbers of 32 bits, so that they belong together.
  private let levels = Atomic<UInt64>(0)
  private let heardAt = Atomic<Int64>(.min)
  private let clippedAt = Atomic<Int64>(.min)

  /// Nanoseconds for which a reading is news, and for which it is said that it was too loud.
  private static let news: Int64 = 1_000_000_000
  private static let clip: Int64 = 3_000_000_000

  func publish(_ meter: LevelMeter, at now: MonotonicTime) {
    levels.store(
      UInt64(Float(meter.peak).bitPattern) << 32 | UInt64(Float(meter.held).bitPattern), ordering: .relaxed)
    if let time = meter.clippedAt { clippedAt.store(time.nanoseconds, ordering: .relaxed) }
    heardAt.store(now.nanoseconds, ordering: .releasing)
  }

  /// - Returns: `nil` where nothing was heard lately.
  func reading(at now: MonotonicTime) -> RecorderState.Level? {
    let heard = MonotonicTime(nanoseconds: heardAt.load(ordering: .acquiring))
    guard now - heard <= PublishedLevel.news else { return nil }
    let bits = levels.load(ordering: .relaxed)
    let clipped = MonotonicTime(nanoseconds: clippedAt.load(ordering: .relaxed))
    return RecorderState.Level(
      peak: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))),
      held: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))),
      isClipped: now - clipped <= PublishedLevel.clip)
  }
}
