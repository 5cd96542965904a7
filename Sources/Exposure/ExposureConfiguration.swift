public import Frames

/// All inputs of a controller from outside, written to a trace in full whenever they change.
public struct ExposureConfiguration: Hashable, Sendable {
  public var mode: ExposureMode
  /// Time and gain stay as they are. After a change of source, rate or angle, the mode first adjusts them to the light
  /// again, and then they stay.
  public var isLocked: Bool
  /// The target for the average, in EV above 18 % grey; negative is darker.
  public var bias: Stops
  public let frameRate: FrameRate
  /// Thousandths of a degree: 180 000 exposes for half the frame's interval.
  public let shutterAngle: Int
  public let limits: ExposureLimits
  /// A setting decided after frame n shows first in frame n + `delay`.
  public let delay: Int
  /// Identifies the camera, lens and format: with a new number, the controller discards what it knows about the light.
  public let source: Int

  /// No known device has a longer delay, in frames; the controller remembers its decisions for this long.
  public static let longestDelay = 32
  public static let fullCircle = 360_000

  /// Throws `usage` for an angle that is not greater than 0° and at most 360°, a delay that is not 1 to 32, a bias
  /// beyond ±16 EV, and a manual time longer than the frame's interval.
  public init(
    mode: ExposureMode, isLocked: Bool = false, bias: Stops = .zero, frameRate: FrameRate, shutterAngle: Int = 180_000,
    limits: ExposureLimits, delay: Int, source: Int = 0
  ) throws(CamrecError) {
    guard shutterAngle > 0, shutterAngle <= Self.fullCircle else {
      throw CamrecError(
        .usage, "a shutter angle is greater than 0° and at most 360°, not \(Double(shutterAngle) / 1000)°")
    }
    guard (1...Self.longestDelay).contains(delay) else {
      throw CamrecError(
        .usage, "a setting must show after 1 to \(Self.longestDelay) frames, not \(delay)")
    }
    guard bias.magnitude <= Stops(16) else {
      throw CamrecError(.usage, "an exposure offset is -16 to 16 EV, not \(bias.ev) EV")
    }
    self.mode = mode
    self.isLocked = isLocked
    self.bias = bias
    self.frameRate = frameRate
    self.shutterAngle = shutterAngle
    self.limits = limits
    self.delay = delay
    self.source = source
    if case .manual(let setting) = mode, setting.nanoseconds > frameInterval {
      throw CamrecError(
        .usage,
        "an exposure of \(setting.nanoseconds) ns is longer than a frame at \(frameRate) frames per second, which is "
          + "\(frameInterval) ns; choose a shorter time or a lower rate")
    }
  }

  /// From one frame to the next, in nanoseconds, at most an hour.
  var frameInterval: Int64 { min(frameRate.frameDuration.scaling(1_000_000_000), ExposureLimits.longestTime) }

  /// The exposure time of the shutter angle in nanoseconds, before any rounding by the device.
  var angleTime: Int64 { frameRate.frameDuration.scaling(Rational(Int64(shutterAngle) * 1_000_000_000, 360_000)) }
}
