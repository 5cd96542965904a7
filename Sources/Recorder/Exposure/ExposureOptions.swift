public import Exposure
import Frames

/// How a recording is to be exposed.
public struct ExposureOptions: Hashable, Sendable {
  /// Who decides.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Time and gain follow the light.
    case auto
    /// The time is the shutter angle's; gain alone follows the light.
    case shutterPriority = "shutter-priority"
    /// The shutter angle and the ISO that were asked for; where none was, the one that the camera has.
    case manual
    /// Time and gain stay as they are found, or as they have been set.
    case locked
    /// The camera does what it does; camrec sets nothing.
    case camera
  }

  public var mode: Mode
  public var angle: ShutterAngle
  public var mains: MainsFrequency
  /// For `manual`.
  public var iso: Double?
  /// EV that the average is to come out brighter than 18 % grey.
  public var bias: Stops
  public var metering: MeteringMode
  /// Time and gain freeze when the light has been met for the first time.
  public var locksWhileRecording: Bool
  /// The ordinary lock of `auto`: time and gain stay as they are.
  public var isLocked: Bool
  /// What the lowest gain of a camera is called that does not tell its ISO.
  public var baseISO: Double

  /// Somebody other than the camera follows the light.
  var followsLight: Bool { mode == .auto || mode == .shutterPriority }

  public init(
    mode: Mode = .shutterPriority, angle: ShutterAngle = .standard, mains: MainsFrequency = .off, iso: Double? = nil,
    bias: Stops = .zero, metering: MeteringMode = .centreWeighted, locksWhileRecording: Bool = false,
    isLocked: Bool = false, baseISO: Double = 100
  ) {
    self.mode = mode
    self.angle = angle
    self.mains = mains
    self.iso = iso
    self.bias = bias
    self.metering = metering
    self.locksWhileRecording = locksWhileRecording
    self.isLocked = isLocked
    self.baseISO = baseISO
  }
}
