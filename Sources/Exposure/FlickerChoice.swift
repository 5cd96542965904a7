import Foundation
public import Frames

/// The flicker-free shutter angles under mains light nearest to a wished one.
public struct FlickerChoice: Hashable, Sendable {
  public struct Angle: Hashable, Sendable {
    public let angle: ShutterAngle
    /// The number of half periods of the mains that it exposes for, at least 1.
    public let halfPeriods: Int
    /// How much brighter than wished the picture is, in EV; negative if darker.
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
  /// The longest safe exposure up to the wished one; `nil` if the wished one is shorter than half a period.
  public let below: Angle?
  /// The shortest safe exposure beyond the wished one; `nil` if it is longer than a frame.
  public let above: Angle?

  /// The nearer of the two in EV; `nil` if a frame is shorter than half a period.
  public var nearest: Angle? {
    guard let below, let above else { return below ?? above }
    return abs(below.cost) <= abs(above.cost) ? below : above
  }

  /// The angle to use: the nearest safe one, or the wished one if none is safe.
  public var angle: ShutterAngle { nearest?.angle ?? wished }

  /// A sentence with the nearest safe angle and its cost, or with what to do if no angle is safe.
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
