public import Exposure
import Frames

/// How to expose a recording.
public struct ExposureOptions: Hashable, Sendable {
  /// What decides the exposure.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Time and gain follow the light.
    case auto
    /// The shutter angle sets the time; only the gain follows the light.
    case shutterPriority = "shutter-priority"
    /// The requested shutter angle and ISO; without a requested ISO, the camera's present one.
    case manual
    /// Time and gain stay as they are found, or as they have been set.
    case locked
    /// The camera decides; camrec sets nothing.
    case camera
  }

  public var mode: Mode
  public var angle: ShutterAngle
  public var mains: MainsFrequency
  /// For `manual`.
  public var iso: Double?
  /// EV by which the average should be brighter than 18 % grey.
  public var bias: Stops
  public var metering: MeteringMode
  /// Time and gain freeze once the exposure first fits the light.
  public var locksWhileRecording: Bool
  /// The ordinary lock of `auto`: time and gain stay as they are.
  public var isLocked: Bool
  /// The ISO assigned to the lowest gain of a camera that reports no ISO.
  public var baseISO: Double
  /// `locked` begins with the angle's exposure time, as before a restart, and not with the camera's.
  public var locksWithAngle: Bool

  /// camrec follows the light.
  public var followsLight: Bool { mode == .auto || mode == .shutterPriority }

  public init(
    mode: Mode = .shutterPriority, angle: ShutterAngle = .standard, mains: MainsFrequency = .off, iso: Double? = nil,
    bias: Stops = .zero, metering: MeteringMode = .centreWeighted, locksWhileRecording: Bool = false,
    isLocked: Bool = false, baseISO: Double = 100, locksWithAngle: Bool = false
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
    self.locksWithAngle = locksWithAngle
  }
}
