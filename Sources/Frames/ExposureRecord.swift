/// The exposure that a frame was really taken with.
public struct ExposureRecord: Hashable, Sendable {
  /// Seconds.
  public let exposureTime: Double
  /// ISO speed on the camera's own scale; 100 is its base.
  public let iso: Double
  /// The camera's own number, where its sensitivity is one.
  public var gain: Double?
  /// EV above the camera's lowest gain; only relative if its gain was never calibrated.
  public var gainEV: Double?
  /// EV by which the metered average of the frame lies above 18 % grey.
  public var meteredEV: Double?

  public init(
    exposureTime: Double, iso: Double, gain: Double? = nil, gainEV: Double? = nil, meteredEV: Double? = nil
  ) {
    self.exposureTime = exposureTime
    self.iso = iso
    self.gain = gain
    self.gainEV = gainEV
    self.meteredEV = meteredEV
  }

  /// Rounds to hundredths of an EV, finer than a plot shows, so that small changes need no new record.
  public static func hundredths(_ ev: Double) -> Double { (ev * 100).rounded() / 100 }
}
