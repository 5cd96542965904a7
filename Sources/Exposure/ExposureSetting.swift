import Foundation

/// A camera's exposure time and gain.
public struct ExposureSetting: Hashable, Sendable {
  /// The exposure time, at least 1.
  public var nanoseconds: Int64
  /// Gain above the camera's lowest, usually at least 0.
  public var gainStops: Stops

  public init(nanoseconds: Int64, gainStops: Stops) {
    self.nanoseconds = max(1, nanoseconds)
    self.gainStops = gainStops
  }

  /// - Parameters:
  ///   - exposureTime: seconds, greater than zero; rounded to the nearest nanosecond, at most 10⁹ s.
  ///   - gain: EV above the camera's lowest gain; rounded to the nearest 1/1024.
  public init(exposureTime: Double, gain: Double) {
    let nanoseconds = (exposureTime * 1e9).rounded()
    self.init(nanoseconds: Int64(max(1, min(nanoseconds, 1e18))), gainStops: Stops(gain))
  }

  /// Seconds.
  public var exposureTime: Double { Double(nanoseconds) * 1e-9 }
  /// EV above the camera's lowest gain.
  public var gain: Double { gainStops.ev }

  /// The exposure in EV: log2 of the exposure time in seconds, plus the gain. A difference of 1 doubles the signal of a
  /// linear sensor.
  public var exposure: Double { log2(exposureTime) + gain }

  /// The same to 1/1024 EV, in whole numbers.
  public var exposureStops: Stops { Stops(nanoseconds: nanoseconds) + gainStops }
}
