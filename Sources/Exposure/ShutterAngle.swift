public import Frames

/// The part of a frame's duration for which the shutter is open, in degrees of a full turn: greater than 0° and at most
/// 360°, exact.
///
/// The term comes from the rotating disc of a film camera. At 180° the exposure is half the frame interval,
/// 1 / (2 · fps), at any rate.
public struct ShutterAngle: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let degrees: Rational

  /// A full turn: open for as long as a frame lasts.
  public static let limit = Rational(360)

  /// The usual angle in film-making, and the default.
  public static let standard = ShutterAngle(trusted: Rational(180))

  /// - Throws: code `usage` for 0° or less and for more than 360°.
  public init(degrees: Rational) throws(CamrecError) {
    guard degrees > Rational(0), degrees <= ShutterAngle.limit else {
      throw ShutterAngle.refusal("\(ExposureText.trimmed(degrees.doubleValue, decimals: 6))°")
    }
    self.degrees = degrees
  }

  private init(trusted degrees: Rational) { self.degrees = degrees }

  /// Reads `180`, `172.8`, `180°`, exactly.
  ///
  /// - Throws: code `usage` if it is not a number, and as `init(degrees:)`.
  public init(parsing text: String) throws(CamrecError) {
    let number = text.hasSuffix("°") ? text.dropLast() : text[...]
    guard let degrees = Rational(decimal: number) else { throw ShutterAngle.refusal(text) }
    try self.init(degrees: degrees)
  }

  /// The angle of an exposure time at a rate.
  ///
  /// - Parameter exposureTime: seconds.
  /// - Throws: code `usage` for a time of 0 or less and for one longer than a frame.
  public init(exposureTime: Rational, at rate: FrameRate) throws(CamrecError) {
    guard exposureTime > Rational(0), exposureTime <= rate.frameDuration else {
      throw CamrecError(
        .usage,
        "an exposure of \(ExposureText.time(exposureTime)) does not fit into a frame at \(rate) fps; it is greater "
          + "than 0 and at most \(ExposureText.time(rate.frameDuration))")
    }
    guard let turns = exposureTime.product(with: rate.rational), let degrees = turns.product(with: ShutterAngle.limit)
    else { throw ShutterAngle.tooFine(rate) }
    self.degrees = degrees
  }

  /// Seconds of exposure at a rate, exact: `degrees / 360 / fps`.
  ///
  /// - Throws: code `usage` if angle and rate are such fine fractions that the result does not fit into 64 bits.
  public func exposureTime(at rate: FrameRate) throws(CamrecError) -> Rational {
    guard let turns = degrees.product(with: ShutterAngle.limit.inverse),
      let seconds = turns.product(with: rate.frameDuration)
    else { throw ShutterAngle.tooFine(rate) }
    return seconds
  }

  /// The degrees of an exposure time in seconds that was measured or read back; without limits, because a device may
  /// not do as requested.
  public static func degrees(ofExposureTime seconds: Double, at rate: FrameRate) -> Double {
    seconds * rate.framesPerSecond * limit.doubleValue
  }

  public static func < (a: ShutterAngle, b: ShutterAngle) -> Bool { a.degrees < b.degrees }

  /// With at most two decimals: `180°`, `172.8°`, `179.71°`.
  public var description: String { ExposureText.trimmed(degrees.doubleValue) + "°" }

  private static func refusal(_ found: String) -> CamrecError {
    CamrecError(.usage, "a shutter angle is greater than 0° and at most 360°, as in 180 or 172.8; this is '\(found)'")
  }

  private static func tooFine(_ rate: FrameRate) -> CamrecError {
    CamrecError(
      .usage, "a shutter angle cannot be calculated exactly at \(rate) fps; choose a rate like 24 or 24000/1001")
  }
}
