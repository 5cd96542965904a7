import Foundation
public import Frames

/// What a device does when it is asked for a shutter angle.
public struct GridExposure: Hashable, Sendable, CustomStringConvertible {
  /// Which end of the device's range stood in the way.
  public enum Bound: String, Hashable, Sendable, Codable {
    case deviceMinimum
    case deviceMaximum
  }

  /// What the device is told: units of its grid.
  public let units: Int64
  /// Seconds, exact.
  public let exposureTime: Rational
  /// The angle really reached.
  public let angle: ShutterAngle
  public let wished: ShutterAngle
  /// `nil` where only rounding stands between the two.
  public let bound: Bound?

  /// How much brighter than wished the picture is, in EV.
  public var error: Double { log2(angle.degrees.doubleValue / wished.degrees.doubleValue) }

  /// `179.71° (208 units)`.
  public var description: String { "\(angle) (\(units) units)" }
}
