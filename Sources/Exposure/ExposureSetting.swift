import Foundation

/// What a camera is set to: how long, and how much amplified.
public struct ExposureSetting: Hashable, Sendable, Codable {
  /// Seconds, greater than zero.
  public var exposureTime: Double
  /// EV above the camera's lowest gain, at least 0.
  public var gain: Double

  public init(exposureTime: Double, gain: Double) {
    self.exposureTime = exposureTime
    self.gain = gain
  }

  /// How bright the picture comes out with this setting, in EV: log2 of the exposure time in seconds, plus the gain. A
  /// difference of 1 doubles the signal of a linear sensor.
  public var exposure: Double { log2(exposureTime) + gain }
}
