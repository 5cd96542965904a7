public import Frames

/// Which frames flash: the first frame at or after 0.5 s, 1.5 s, … from frame 0, so one each second.
///
/// The half second keeps the first flash and its tone clear of the start of a recording.
public struct SimulatedFlash: Hashable, Sendable {
  public let frameRate: FrameRate

  /// - Precondition: at least one frame per second.
  public init(frameRate: FrameRate) {
    precondition(frameRate.rational >= Rational(1), "a flash a second needs a frame a second")
    self.frameRate = frameRate
  }

  /// The frame of flash `index`, from 0: ⌈(index + ½) · rate⌉.
  public func frame(ofFlash index: UInt64) -> UInt64 {
    let (num, den) = (UInt64(frameRate.rational.numerator), UInt64(frameRate.rational.denominator))
    return ((2 * index + 1) * num + 2 * den - 1) / (2 * den)
  }

  /// The last flash at or before `frame`; `nil` before the first.
  public func lastFlash(at frame: UInt64) -> UInt64? {
    let (num, den) = (UInt64(frameRate.rational.numerator), UInt64(frameRate.rational.denominator))
    guard 2 * frame * den >= num else { return nil }
    return (2 * frame * den - num) / (2 * num)
  }

  public func isFlash(_ frame: UInt64) -> Bool {
    lastFlash(at: frame).map { self.frame(ofFlash: $0) == frame } ?? false
  }
}
