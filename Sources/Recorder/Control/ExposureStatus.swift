/// How a recording is exposed at the moment.
public struct ExposureStatus: Hashable, Sendable, Codable {
  public enum State: String, Hashable, Sendable, Codable {
    case moving, settled
    /// At the end of what the camera can do: `missingEV` says how much is wanting.
    case limited
    /// Locked, or manual.
    case held
  }

  /// As `--exposure` says it.
  public var mode: String
  public var state: State
  /// Seconds.
  public var exposureTime: Double
  /// Degrees that were asked for, and that the exposure time comes to at this frame rate.
  public var shutterAngle: Double
  public var reachedShutterAngle: Double
  /// Relative to the base ISO where nobody has measured the gain.
  public var iso: Double
  public var isCalibrated: Bool
  /// EV above the lowest gain.
  public var gain: Double
  /// EV that was asked for beside the meter.
  public var bias: Double
  /// As `--metering` says it.
  public var metering: String
  /// By the ordinary lock, or by that of the recording.
  public var isLocked: Bool
  /// EV that the light wants and the camera cannot give; positive: it is too dark.
  public var missingEV: Double

  public init(
    mode: String, state: State, exposureTime: Double, shutterAngle: Double, reachedShutterAngle: Double, iso: Double,
    isCalibrated: Bool, gain: Double, bias: Double, metering: String, isLocked: Bool, missingEV: Double
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
  }
}
