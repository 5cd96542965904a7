/// The exposure that a frame was really taken with.
public struct ExposureRecord: Hashable, Sendable {
  /// Seconds.
  public let exposureTime: Double
  /// ISO speed as the camera's scale has it; 100 is its base.
  public let iso: Double
  /// The camera's own number, where its sensitivity is one.
  public var gain: Double?
  /// EV above the camera's lowest gain; relative, where nobody has measured what its numbers come to.
  public var gainEV: Double?
  /// EV by which the metered average of the picture lies above 18 % grey.
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

  /// Hundredths of an EV, which is more than a plot shows: a record of what does not change costs nothing.
  public static func hundredths(_ ev: Double) -> Double { (ev * 100).rounded() / 100 }
}
