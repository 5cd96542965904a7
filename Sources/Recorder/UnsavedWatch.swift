import Foundation
package import Frames

/// Warns that a crash would cost more film than promised because the bake or the encoder does not keep up: once that
/// has lasted for a moment, and every half a minute while it lasts. A value that uses no clock and no threads.
package struct UnsavedWatch {
  /// When the promise was first broken without a longer pause, and when it was seen broken last.
  private var broken: (begin: MonotonicTime, latest: MonotonicTime)?
  private var said: MonotonicTime?
  private let hasFasterPreset: Bool
  private let isClip: Bool

  /// Nanoseconds for which it has to last.
  private static let moment: Int64 = 1_000_000_000
  /// Nanoseconds of a longer pause. Film reaches the disk in fragments of up to 2 s: behind each there is less to lose.
  private static let pause: Int64 = 3_000_000_000
  /// Nanoseconds between two warnings.
  private static let interval: Int64 = 30_000_000_000

  /// - Parameters:
  ///   - hasFasterPreset: the encoder has a faster preset than the film's.
  ///   - isClip: the frames come from a clip, not from a camera.
  package init(hasFasterPreset: Bool = false, isClip: Bool = false) {
    self.hasFasterPreset = hasFasterPreset
    self.isClip = isClip
  }

  /// - Parameters:
  ///   - unsaved: seconds of film that were captured and are not on the medium.
  ///   - bound: seconds that these are at most while bake, encoder and disk keep up.
  ///   - isBehind: frames wait for the bake or the encoder, and neither of these for the disk.
  /// - Returns: a warning, if there is something to report.
  package mutating func look(
    unsaved: Double, bound: Double, isBehind: Bool, at now: MonotonicTime
  ) -> SessionRemark? {
    guard isBehind, unsaved > bound else { return nil }
    let begin = broken.flatMap { now - $0.latest <= UnsavedWatch.pause ? $0.begin : nil } ?? now
    broken = (begin, now)
    guard now - begin >= UnsavedWatch.moment, said.map({ now - $0 >= UnsavedWatch.interval }) ?? true else {
      return nil
    }
    defer { said = now }
    let (cost, promise) = (UnsavedWatch.text(unsaved), UnsavedWatch.text(bound))
    let words = LossReason.overload.words
    return SessionRemark(
      saying: "\(words.cause()): a crash or a power cut now costs \(cost) s of film instead of \(promise) s at "
        + "most; \(sentence: words.remedy(isClip: isClip, hasFasterPreset: hasFasterPreset))",
      facts: ["unsaved-seconds": cost, "loss-bound": promise], isRepeat: said != nil)
  }

  private static func text(_ seconds: Double) -> String { String(format: "%.2f", seconds) }
}
