/// Measures a camera's rate: the slope of capture time over frame index, with its uncertainty.
///
/// Least squares over all frames so far, in a form that stays exact for weeks: the sums are taken about the running
/// means (Welford 1962; West 1979).
struct RateMeter {
  private let nominalInterval: Double
  private var count = 0.0
  private var meanIndex = 0.0
  private var meanTime = 0.0
  private var indexSquares = 0.0
  private var timeSquares = 0.0
  private var products = 0.0

  /// - Parameter nominalInterval: nanoseconds from frame to frame.
  init(nominalInterval: Double) { self.nominalInterval = nominalInterval }

  mutating func add(index: Int64, nanoseconds: Double) {
    // Subtract the nominal slope first: the remainder is small, and so is its rounding error.
    let residual = nanoseconds - Double(index) * nominalInterval
    count += 1
    let indexOffset = Double(index) - meanIndex, timeOffset = residual - meanTime
    meanIndex += indexOffset / count
    meanTime += timeOffset / count
    indexSquares += indexOffset * (Double(index) - meanIndex)
    timeSquares += timeOffset * (residual - meanTime)
    products += indexOffset * (residual - meanTime)
  }

  /// Nanoseconds per frame above the nominal interval, and their standard error.
  private var slope: (value: Double, error: Double)? {
    guard count >= 8, indexSquares > 0 else { return nil }
    let value = products / indexSquares
    let scatter = max(0, timeSquares - value * products) / (count - 2)
    return (value, (scatter / indexSquares).squareRoot())
  }

  /// The deviation from the nominal rate in parts per million, once its standard error is below `tolerance` ppm.
  func partsPerMillion(within tolerance: Double) -> Double? {
    guard let slope, slope.error / nominalInterval * 1e6 < tolerance else { return nil }
    return -slope.value / (nominalInterval + slope.value) * 1e6
  }

  /// True if the rate is certainly off by more than `limit` ppm: by four standard errors.
  func isOff(by limit: Double) -> Bool {
    guard let slope else { return false }
    let doubt = 4 * slope.error / nominalInterval * 1e6
    return abs(slope.value) / nominalInterval * 1e6 > limit + doubt
  }
}
