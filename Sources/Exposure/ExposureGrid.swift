public import Frames

/// The exposure times that a device can do: whole units, between a minimum and a maximum.
///
/// Holds `minimum`, `minimum + step`, `minimum + 2 · step` … up to `maximum`, as a control of V4L2 does.
public struct ExposureGrid: Hashable, Sendable {
  /// Seconds per unit: 100 µs of UVC, the line time of a sensor.
  public let unit: Rational
  /// Units, at least 1.
  public let minimum: Int64
  /// Units, the last one that a step reaches.
  public let maximum: Int64
  /// Units from one exposure time to the next, at least 1.
  public let step: Int64

  /// What `EXPOSURE_ABSOLUTE` counts in (UVC 1.5, 4.2.2.1.4; V4L2 has taken it over).
  public static let uvcUnit = Rational(1, 10_000)

  /// - Parameters:
  ///   - minimum, maximum, step: as the device says them, in units. A minimum of 0 is taken as the first exposure that
  ///     is one.
  /// - Throws: code `device` where what the device says leaves no exposure time at all.
  public init(unit: Rational, minimum: Int64, maximum: Int64, step: Int64 = 1) throws(CamrecError) {
    // Whatever a driver says, this cannot overflow.
    let most = Int64(Int32.max)
    let isSane = unit > Rational(0) && minimum >= 0 && maximum <= most && (1...most).contains(step)
    let first = minimum == 0 ? step : minimum
    guard isSane, first <= maximum else {
      throw CamrecError(
        .device,
        "the camera gives its exposure times as \(minimum) to \(maximum) in steps of \(step), which is no range; "
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

  /// A sensor's that exposes whole lines, each `lineTime` seconds.
  public static func lines(
    lineTime: Rational, minimum: Int64, maximum: Int64, step: Int64 = 1
  ) throws(CamrecError) -> ExposureGrid {
    try ExposureGrid(unit: lineTime, minimum: minimum, maximum: maximum, step: step)
  }

  /// The exposure time that is nearest to an angle's, and never longer than a frame: with that a camera would lower its
  /// rate.
  ///
  /// - Throws: code `device` where even the device's shortest exposure is longer than a frame; code `usage` as
  ///   `ShutterAngle.exposureTime(at:)`.
  public func nearest(to angle: ShutterAngle, at rate: FrameRate) throws(CamrecError) -> GridExposure {
    let wished = try angle.exposureTime(at: rate)
    let fitting = wholeUnits(within: rate.frameDuration)
    guard minimum <= fitting else {
      throw CamrecError(
        .device,
        "the camera's shortest exposure, \(ExposureText.time(unit.scaled(minimum))), is longer than a frame at \(rate) "
          + "fps, \(ExposureText.time(rate.frameDuration)); choose a lower --fps")
    }
    let limit = minimum + (min(maximum, fitting) - minimum) / step * step
    let nearest = unit.inverse.scaling(wished)
    // To the nearest step, ties to the longer one.
    let steps = max(0, (min(nearest, limit) - minimum + step / 2) / step)
    let units = min(limit, minimum + steps * step)
    guard let time = unit.product(with: Rational(units)) else {
      throw CamrecError(.device, "the camera's unit of exposure, \(unit) s, is too fine a fraction to reckon with")
    }
    let bound: GridExposure.Bound? =
      if nearest < minimum { .deviceMinimum } else if nearest > maximum { .deviceMaximum } else { nil }
    return GridExposure(
      units: units, exposureTime: time, angle: try ShutterAngle(exposureTime: time, at: rate), wished: angle,
      bound: bound)
  }

  /// How many units fit into `time`, rounded down.
  private func wholeUnits(within time: Rational) -> Int64 {
    let above = Int128(time.numerator) * Int128(unit.denominator)
    return Int64(clamping: above / (Int128(time.denominator) * Int128(unit.numerator)))
  }
}

extension Rational {
  /// For sentences: a product that is only said.
  fileprivate func scaled(_ count: Int64) -> Rational {
    product(with: Rational(count)) ?? Rational(Int64(clamping: Int128(numerator) * Int128(count) / Int128(denominator)))
  }
}
