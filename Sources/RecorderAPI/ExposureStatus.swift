/// The present exposure of a recording.
public struct ExposureStatus: Hashable, Sendable, Codable {
  public enum State: String, Hashable, Sendable, Codable {
    case moving, settled
    /// At the limit of what the camera can do: `missingEV` says how much is missing.
    case limited
    /// Locked, or manual.
    case held
  }

  /// As for `--exposure`.
  public var mode: String
  public var state: State
  /// Seconds.
  public var exposureTime: Double
  /// The requested angle, in degrees. With a mains frequency, the nearest one that does not flicker applies.
  public var shutterAngle: Double
  /// The angle of the present exposure time at this frame rate, in degrees.
  public var reachedShutterAngle: Double
  /// Relative to the base ISO if the gain is not calibrated.
  public var iso: Double
  public var isCalibrated: Bool
  /// EV above the lowest gain.
  public var gain: Double
  /// The requested offset from the meter, in EV.
  public var bias: Double
  /// As for `--metering`.
  public var metering: String
  /// By the ordinary lock, or by the recording's own.
  public var isLocked: Bool
  /// EV that the light needs and the camera cannot provide, or a held exposure does not; positive if it is too dark.
  public var missingEV: Double
  /// `true`: the picture is clipped, or black, and more may be missing. `nil` otherwise.
  public var isMissingEVLowerBound: Bool?

  public init(
    mode: String, state: State, exposureTime: Double, shutterAngle: Double, reachedShutterAngle: Double, iso: Double,
    isCalibrated: Bool, gain: Double, bias: Double, metering: String, isLocked: Bool, missingEV: Double,
    isMissingEVLowerBound: Bool? = nil
  ) {
    self.mode = mode
    self.state = state
    self.exposureTime = exposureTime
    self.shutterAngle = shutterAngle
    self.reachedShutterAngle = reachedShutterAngle
    self.iso = iso
    self.isCalibrated = isCalibrated
    self.gain = gain
    self.bias = bias
    self.metering = metering
    self.isLocked = isLocked
    self.missingEV = missingEV
    self.isMissingEVLowerBound = isMissingEVLowerBound
  }
}
