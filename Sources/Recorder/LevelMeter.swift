import Foundation
package import Frames
import RecorderAPI
import Synchronization

/// The level of the sound, for display: a peak that falls slowly, the highest peak of the last seconds, and whether the
/// sound clipped.
///
/// The peak falls like that of a peak programme meter of type I: 20 dB in 1.7 s (IEC 60268-10). Clipping means reaching
/// the largest number of the format.
///
/// Thread: one at a time. Allocates nothing.
package struct LevelMeter {
  /// 0…1, as a fraction of full scale.
  package private(set) var peak = 0.0
  package private(set) var held = 0.0
  package private(set) var clippedAt: MonotonicTime?
  private var heldAt = MonotonicTime(nanoseconds: 0)
  private var last: MonotonicTime?

  package init() {}

  /// dB a second.
  private static let fall = 20 / 1.7
  /// Nanoseconds for which the highest peak is held.
  private static let hold: Int64 = 2_000_000_000
  /// 16 bits reach 32767 of 32768.
  private static let full = 32767.0 / 32768

  /// - Parameter block: the largest sample of a block, as a fraction of full scale; floating-point sound may exceed 1.
  package mutating func hear(_ block: Double, at now: MonotonicTime) {
    let block = block.isFinite ? min(max(block, 0), 1) : (block.isNaN ? 0 : 1)
    if let last { peak *= pow(10, -LevelMeter.fall * Double(max(0, now - last)) * 1e-9 / 20) }
    last = now
    peak = max(peak, block)
    if block >= held || now - heldAt >= LevelMeter.hold { (held, heldAt) = (peak, now) }
    if block >= LevelMeter.full { clippedAt = now }
  }
}

/// The sound thread's latest level reading. Thread: one writes, any read; nobody waits.
final class PublishedLevel: Sendable {
  /// The peak and the held peak as two 32-bit numbers, so that they always belong together.
  private let levels = Atomic<UInt64>(0)
  private let heardAt = Atomic<Int64>(.min)
  private let clippedAt = Atomic<Int64>(.min)

  /// Nanoseconds for which a reading is valid, and for which clipping is shown.
  private static let news: Int64 = 1_000_000_000
  private static let clip: Int64 = 3_000_000_000

  func publish(_ meter: LevelMeter, at now: MonotonicTime) {
    levels.store(
      UInt64(Float(meter.peak).bitPattern) << 32 | UInt64(Float(meter.held).bitPattern), ordering: .relaxed)
    if let time = meter.clippedAt { clippedAt.store(time.nanoseconds, ordering: .relaxed) }
    heardAt.store(now.nanoseconds, ordering: .releasing)
  }

  /// - Returns: `nil` if nothing was heard lately.
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
