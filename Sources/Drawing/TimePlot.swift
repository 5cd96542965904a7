/// Draws values over time: strips below one another, each with its own scale, on a common time axis.
///
/// The picture is 1600 pixels wide; each strip adds to its height.
public struct TimePlot {
  /// A value over time, in bins of equal width: the least and the greatest of each.
  public struct Curve {
    /// Seconds per bin.
    public var width: Double
    /// `nil` for a bin without a value.
    public let bins: [ClosedRange<Double>?]
    /// Values beyond ±10^12, which no camera means, are clamped to that; values that are not numbers are left out.
    public init(width: Double, bins: [ClosedRange<Double>?]) {
      self.width = width
      self.bins = bins.map { bin in
        guard let bin, !bin.lowerBound.isNaN, !bin.upperBound.isNaN else { return nil }
        return bin.clamped(to: -Curve.largest...Curve.largest)
      }
    }

    private static let largest = 1e12
  }

  /// A curve with a scale of its own.
  public struct Strip {
    /// The heading with its unit: `exposure in EV`.
    public var heading: String
    /// The text after the heading if there is no curve.
    public var absence: String
    public var curve: Curve?
    /// The least span of the scale around the curve's values, so that noise looks like noise.
    public var leastSpan: Double
    /// The label for a value on the scale.
    public var label: @Sendable (Double) -> String
    public init(
      heading: String, absence: String = "not known", curve: Curve?, leastSpan: Double,
      label: (@Sendable (Double) -> String)? = nil
    ) {
      self.heading = heading
      self.absence = absence
      self.curve = curve
      self.leastSpan = leastSpan
      self.label = label ?? { Chart.label($0) }
    }
  }

  /// A row that is filled wherever a condition held.
  public struct Row {
    public var heading: String
    /// Seconds per bin.
    public var width: Double
    public var bins: [Bool]
    public init(heading: String, width: Double, bins: [Bool]) {
      self.heading = heading
      self.width = width
      self.bins = bins
    }
  }

  private let seconds: Double
  private let strips: [Strip]
  private let rowsHeading: String
  private let rows: [Row]

  private static let letters = 13.0
  private static let left = 220.0, right = 1560.0, top = 150.0
  private static let stripHeight = 180.0, pitch = 260.0, rowPitch = 30.0
  /// A scale spans at least this part of its values; smaller differences are rounding noise.
  private static let leastPart = 1e-9
  /// An axis of 30 years.
  private static let mostSeconds = 1e9
  /// The colours of the curves and of losses.
  private static let curveColor: SIMD3<Double> = [0.45, 0.85, 0.6]
  private static let lossColor: SIMD3<Double> = [1, 0.38, 0.3]

  /// - Parameters:
  ///   - seconds: the length of the axis.
  ///   - rows: below the strips, under a heading of their own.
  public init(seconds: Double, strips: [Strip], rowsHeading: String, rows: [Row]) {
    self.seconds = seconds.isFinite ? min(max(seconds, 1e-3), Self.mostSeconds) : 1
    self.strips = strips
    self.rowsHeading = rowsHeading
    self.rows = rows
  }

  /// - Parameter heading: lines at the top: the first large, the second small.
  public func picture(heading: [String]) -> Picture {
    let below = Self.top + Self.pitch * Double(strips.count)
    let height = below + Self.rowPitch * Double(rows.count) + 70
    var picture = Picture(width: 1600, height: Int(height), [0.08, 0.083, 0.09])
    for (index, line) in heading.prefix(2).enumerated() {
      let letters = index == 0 ? 24.0 : Self.letters
      let room = Int(1520 / (letters * 5.6 / 6))
      picture.write(String(line.prefix(room)), 40, 32 + 46 * Double(index), height: letters, [0.9, 0.91, 0.93])
    }
    for (index, strip) in strips.enumerated() {
      draw(strip, Self.top + Self.pitch * Double(index), on: &picture)
    }
    picture.write(rowsHeading, Self.left, below - 2 * Self.letters, height: Self.letters, Chart.ink)
    for (index, row) in rows.enumerated() { draw(row, below + Self.rowPitch * Double(index), on: &picture) }
    drawTimes(below + Self.rowPitch * Double(rows.count), on: &picture)
    return picture
  }

  private func draw(_ strip: Strip, _ top: Double, on picture: inout Picture) {
    let spans = strip.curve?.bins.compactMap(\.self) ?? []
    let heading = spans.isEmpty ? "\(strip.heading): \(strip.absence)" : strip.heading
    guard let first = spans.first else {
      picture.fill(Self.left, top, Self.right, top + Self.stripHeight, Chart.ground)
      picture.write(heading, Self.left, top - 2 * Self.letters, height: Self.letters, Chart.ink)
      return
    }
    var (low, high) = (first.lowerBound, first.upperBound)
    for span in spans { (low, high) = (min(low, span.lowerBound), max(high, span.upperBound)) }
    // Keeps the curve off the box's edges.
    let least = max(strip.leastSpan, max(low.magnitude, high.magnitude) * Self.leastPart)
    let margin = max((least - (high - low)) / 2, (high - low) * 0.08)
    let outputs = (low - margin)...(high + margin)
    let chart = Chart(
      left: Self.left, top: top, width: Self.right - Self.left, height: Self.stripHeight, inputs: 0...seconds,
      outputs: outputs)
    picture.fill(Self.left, top, Self.right, top + Self.stripHeight, Chart.ground)
    picture.write(heading, Self.left, top - 2 * Self.letters, height: Self.letters, Chart.ink)
    for time in times {
      let x = chart.x(time.seconds)
      picture.line(x, top, x, top + Self.stripHeight, width: 1, Chart.grid)
    }
    for tick in Chart.ticks(outputs, most: 5) {
      picture.line(Self.left, chart.y(tick), Self.right, chart.y(tick), width: 1, Chart.grid)
      picture.write(
        strip.label(tick), Self.left - Self.letters, chart.y(tick) - Self.letters / 2, height: Self.letters, Chart.ink,
        .ending)
    }
    if let curve = strip.curve { draw(curve, chart, on: &picture) }
  }

  private func draw(_ curve: Curve, _ chart: Chart, on picture: inout Picture) {
    var before: (x: Double, y: Double)?
    for (index, bin) in curve.bins.enumerated() {
      guard let bin else { continue }
      let x = min(chart.x((Double(index) + 0.5) * curve.width), Self.right)
      let middle = chart.y((bin.lowerBound + bin.upperBound) / 2)
      if let before { picture.line(before.x, before.y, x, middle, width: 2, Self.curveColor) }
      picture.line(x, chart.y(bin.upperBound), x, chart.y(bin.lowerBound), width: 2, Self.curveColor)
      before = (x, middle)
    }
  }

  private func draw(_ row: Row, _ top: Double, on picture: inout Picture) {
    let height = Self.rowPitch - 10
    picture.fill(Self.left, top, Self.right, top + height, Chart.ground)
    picture.write(row.heading, Self.left - Self.letters, top + height / 2 - 5, height: 10, Chart.ink, .ending)
    let scale = (Self.right - Self.left) / seconds
    for (index, isLost) in row.bins.enumerated() where isLost {
      let begin = Self.left + Double(index) * row.width * scale
      let end = max(begin + 2, Self.left + Double(index + 1) * row.width * scale)
      picture.fill(min(begin, Self.right - 2), top, min(end, Self.right), top + height, Self.lossColor)
    }
  }

  private func drawTimes(_ y: Double, on picture: inout Picture) {
    for time in times {
      let x = Self.left + (Self.right - Self.left) * time.seconds / seconds
      picture.write(time.label, x, y + 8, height: Self.letters, Chart.ink, .around)
    }
  }

  /// Where the axis is divided: round numbers of seconds, minutes, hours or days.
  private var times: [(seconds: Double, label: String)] {
    let units: [(seconds: Double, name: String)] = [(1, "s"), (60, "min"), (3600, "h"), (86400, "d")]
    let unit = units.last { seconds >= 2 * $0.seconds } ?? units[0]
    return Chart.ticks(0...(seconds / unit.seconds), most: 10).map {
      ($0 * unit.seconds, "\(Chart.label($0)) \(unit.name)")
    }
  }
}
