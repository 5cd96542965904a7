public import Frames

/// The exposure times that a device offers: whole units between a minimum and a maximum.
///
/// Holds `minimum`, `minimum + step`, `minimum + 2 · step` … up to `maximum`, as a control of V4L2 does.
public struct ExposureGrid: Hashable, Sendable {
  /// Seconds per unit: 100 µs of UVC, the line time of a sensor.
  public let unit: Rational
  /// Units, at least 1.
  public let minimum: Int64
  /// Units: the last value that the steps reach.
  public let maximum: Int64
  /// Units from one exposure time to the next, at least 1.
  public let step: Int64

  /// The unit of `EXPOSURE_ABSOLUTE` (UVC 1.5, 4.2.2.1.4; the same in V4L2).
  public static let uvcUnit = Rational(1, 10_000)

  /// - Parameters:
  ///   - minimum, maximum, step: as the device reports them, in units. A minimum of 0 means the first exposure greater
  ///     than 0.
  /// - Throws: code `device` if the reported range contains no exposure time.
  public init(unit: Rational, minimum: Int64, maximum: Int64, step: Int64 = 1) throws(CamrecError) {
    // Whatever a driver says, this cannot overflow.
    let most = Int64(Int32.max)
    let isSane = unit > Rational(0) && minimum >= 0 && maximum <= most && (1...most).contains(step)
    let first = minimum == 0 ? step : minimum
    guard isSane, first <= maximum else {
      throw CamrecError(
        .device,
        "the camera reports exposure times of \(minimum) to \(maximum) in steps of \(step), which is not a range; "
          + "its exposure cannot be set")
    }
    self.unit = unit
    self.minimum = first
    self.maximum = first + (maximum - first) / step * step
    self.step = step
  }

  /// A UVC camera's, in units of 100 µs.
  public static func uvc(minimum: Int64, maximum: Int64, step: Int64 = 1) throws(CamrecError) -> ExposureGrid {
    try ExposureGrid(unit: uvcUnit, minimum: minimum, maximum: maximum, step: step)
  }

  /// For a sensor that exposes whole lines of `lineTime` seconds each.
  public static func lines(
    lineTime: Rational, minimum: Int64, maximum: Int64, step: Int64 = 1
  ) throws(CamrecError) -> ExposureGrid {
    try ExposureGrid(unit: lineTime, minimum: minimum, maximum: maximum, step: step)
  }

  /// The exposure time nearest to an angle's, never longer than a frame, because a camera would then lower its rate.
  ///
  /// - Throws: code `device` if even the device's shortest exposure is longer than a frame; code `usage` as
  ///   `ShutterAngle.exposureTime(at:)`.
  public func nearest(to angle: ShutterAngle, at rate: FrameRate) throws(CamrecError) -> GridExposure {
    let wished = try angle.exposureTime(at: rate)
    let fitting = wholeUnits(within: rate.frameDuration)
    guard minimum <= fitting else {
      throw CamrecError(
        .device, about: .fps,
        "the camera's shortest exposure, \(ExposureText.time(unit.scaled(minimum))), is longer than a frame at \(rate) "
          + "fps, \(ExposureText.time(rate.frameDuration)); choose a lower \(setting: .fps)",
        reason: .notOffered)
    }
    let limit = minimum + (min(maximum, fitting) - minimum) / step * step
    let nearest = unit.inverse.scaling(wished)
    // To the nearest step, ties to the longer one.
    let steps = max(0, (min(nearest, limit) - minimum + step / 2) / step)
    let units = min(limit, minimum + steps * step)
    guard let time = unit.product(with: Rational(units)) else {
      throw CamrecError(.device, "the camera's unit of exposure, \(unit) s, is too fine a fraction to calculate with")
    }
    let bound: GridExposure.Bound? =
      if nearest < minimum { .deviceMinimum } else if nearest > maximum { .deviceMaximum } else { nil }
    return GridExposure(
      units: units, exposureTime: time, angle: try ShutterAngle(exposureTime: time, at: rate), wished: angle,
      bound: bound)
  }

  /// The number of whole units in `time`, rounded down.
  private func wholeUnits(within time: Rational) -> Int64 {
    let above = Int128(time.numerator) * Int128(unit.denominator)
    return Int64(clamping: above / (Int128(time.denominator) * Int128(unit.numerator)))
  }
}

extension Rational {
  /// A product for messages only.
  fileprivate func scaled(_ count: Int64) -> Rational {
    product(with: Rational(count)) ?? Rational(Int64(clamping: Int128(numerator) * Int128(count) / Int128(denominator)))
  }
}
