import Foundation
public import Frames

/// A device's exposure for a requested shutter angle.
public struct GridExposure: Hashable, Sendable, CustomStringConvertible {
  /// The end of the device's range that limits the exposure.
  public enum Bound: String, Hashable, Sendable, Codable {
    case deviceMinimum
    case deviceMaximum
  }

  /// The value for the device, in units of its grid.
  public let units: Int64
  /// Seconds, exact.
  public let exposureTime: Rational
  /// The resulting angle.
  public let angle: ShutterAngle
  public let wished: ShutterAngle
  /// `nil` if the two angles differ only by rounding.
  public let bound: Bound?

  /// How much brighter than wished the picture is, in EV.
  public var error: Double { log2(angle.degrees.doubleValue / wished.degrees.doubleValue) }

  /// `179.71° (208 units)`.
  public var description: String { "\(angle) (\(units) units)" }
}
