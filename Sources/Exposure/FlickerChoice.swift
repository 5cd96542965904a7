import Foundation
public import Frames

/// Which shutter angles do not flicker under the mains' light, near one that is wished.
public struct FlickerChoice: Hashable, Sendable {
  public struct Angle: Hashable, Sendable {
    public let angle: ShutterAngle
    /// How many half periods of the mains it exposes for, at least 1.
    public let halfPeriods: Int
    /// How much brighter than wished the picture is, in EV; negative where it is darker.
    public let cost: Double

    init(angle: ShutterAngle, halfPeriods: Int, wished: ShutterAngle) {
      self.angle = angle
      self.halfPeriods = halfPeriods
      cost = log2(angle.degrees.doubleValue / wished.degrees.doubleValue)
    }
  }

  /// Never `off`.
  public let mains: MainsFrequency
  public let rate: FrameRate
  public let wished: ShutterAngle
  /// The longest safe exposure that is not longer than the wished one; `nil` where that is less than half a period.
  public let below: Angle?
  /// The shortest safe exposure that is longer; `nil` where it is longer than a frame.
  public let above: Angle?

  /// The one of both that is nearer in EV; `nil` where a frame is shorter than half a period.
  public var nearest: Angle? {
    guard let below, let above else { return below ?? above }
    return abs(below.cost) <= abs(above.cost) ? below : above
  }

  /// What to expose with: the nearest safe angle, the wished one where none is.
  public var angle: ShutterAngle { nearest?.angle ?? wished }

  /// What is nearest and what it costs, or that nothing is safe and what to do then, in a sentence.
  public var statement: String {
    let hertz = "\(mains.rawValue) Hz"
    let half = mains.halfPeriod ?? Rational(1)
    guard let nearest else {
      return "at \(rate) fps no shutter angle is free of flicker under \(hertz) mains: a frame lasts "
        + "\(ExposureText.time(rate.frameDuration)) and the light pulses every \(ExposureText.time(half)); record at "
        + "\(half.inverse) fps or less, or use lamps that do not pulse"
    }
    let count = nearest.halfPeriods == 1 ? "1 pulse" : "\(nearest.halfPeriods) pulses"
    let time = ExposureText.time(half * Rational(Int64(nearest.halfPeriods)))
    return "at \(rate) fps \(nearest.angle) is free of flicker under \(hertz) mains: \(time), \(count) of the light, "
      + "\(ExposureText.ev(nearest.cost)) against \(wished)"
  }
}
