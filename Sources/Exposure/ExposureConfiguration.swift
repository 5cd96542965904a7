public import Frames

/// All that a controller is told from outside: a value, written into a trace in full whenever it changes.
public struct ExposureConfiguration: Hashable, Sendable {
  public var mode: ExposureMode
  /// Time and gain stay as they are. After a change of source, rate or angle the mode's own way is gone once more,
  /// until the light is met, and then they stay again.
  public var isLocked: Bool
  /// How many EV brighter than 18 % grey the average is to come out; negative is darker.
  public var bias: Stops
  public let frameRate: FrameRate
  /// Thousandths of a degree: 180 000 exposes for half of the frame's interval.
  public let shutterAngle: Int
  public let limits: ExposureLimits
  /// A setting decided after frame n shows first in frame n + `delay`.
  public let delay: Int
  /// Another number for another camera, lens or format: what was learnt about the light is void.
  public let source: Int

  /// Beyond that many frames no device has been seen; the controller keeps what it decided for so long.
  public static let longestDelay = 32
  public static let fullCircle = 360_000

  /// Throws `usage` for an angle that is not above 0 and up to 360°, a delay that is not 1 to 32, a bias beyond ±16 EV,
  /// and a manual time that is longer than the frame's interval.
  public init(
    mode: ExposureMode, isLocked: Bool = false, bias: Stops = .zero, frameRate: FrameRate, shutterAngle: Int = 180_000,
    limits: ExposureLimits, delay: Int, source: Int = 0
  ) throws(CamrecError) {
    guard shutterAngle > 0, shutterAngle <= Self.fullCircle else {
      throw CamrecError(
        .usage, "a shutter angle of \(Double(shutterAngle) / 1000)°; it lies above 0° and up to 360°")
    }
    guard (1...Self.longestDelay).contains(delay) else {
      throw CamrecError(
        .usage, "a setting that shows after \(delay) frames; 1 to \(Self.longestDelay) frames can be followed")
    }
    guard bias.magnitude <= Stops(16) else {
      throw CamrecError(.usage, "an exposure offset of \(bias.ev) EV; it lies between -16 and 16 EV")
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
        "an exposure of \(setting.nanoseconds) ns at \(frameRate) frames per second, whose interval is "
          + "\(frameInterval) ns; choose a shorter time or a lower rate")
    }
  }

  /// From one frame to the next, in nanoseconds, at most an hour.
  var frameInterval: Int64 { min(frameRate.frameDuration.scaling(1_000_000_000), ExposureLimits.longestTime) }

  /// The shutter angle's exposure time in nanoseconds, before any rounding by the device.
  var angleTime: Int64 { frameRate.frameDuration.scaling(Rational(Int64(shutterAngle) * 1_000_000_000, 360_000)) }
}
