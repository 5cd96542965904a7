/// A box with axes, into which curves are drawn.
struct Chart {
  /// The box in pixels.
  let left: Double, top: Double, width: Double, height: Double
  let inputs: ClosedRange<Double>
  let outputs: ClosedRange<Double>

  /// The three channels' colors; together they are white.
  static let channels: [SIMD3<Double>] = [[1, 0.28, 0.25], [0.25, 1, 0.3], [0.3, 0.5, 1]]
  static let ground: SIMD3<Double> = [0.125, 0.13, 0.14]
  static let grid: SIMD3<Double> = [0.22, 0.225, 0.24]
  static let ink: SIMD3<Double> = [0.72, 0.74, 0.77]

  func x(_ input: Double) -> Double { left + width * (input - inputs.lowerBound) / length(inputs) }
  func y(_ output: Double) -> Double { top + height * (1 - (output - outputs.lowerBound) / length(outputs)) }
  private func length(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }

  /// Draws the box, its numbered grid, the identity diagonal, and a heading above.
  func drawFrame(on picture: inout some DrawingSurface, heading: String, letters: Double) {
    drawGrid(on: &picture, heading: heading, letters: letters)
    let from = max(inputs.lowerBound, outputs.lowerBound), to = min(inputs.upperBound, outputs.upperBound)
    if from < to { picture.line(x(from), y(from), x(to), y(to), width: 1.5, [0.36, 0.37, 0.39]) }
  }

  /// Draws the box, its numbered grid, and a heading above.
  func drawGrid(on picture: inout some DrawingSurface, heading: String, letters: Double) {
    picture.fill(left, top, left + width, top + height, Self.ground)
    picture.write(heading, left, top - 2 * letters, height: letters, Self.ink)
    for tick in Self.ticks(inputs, most: Int(width / (8 * letters))) {
      picture.line(x(tick), top, x(tick), top + height, width: tick == 0 ? 2 : 1, Self.grid)
      picture.write(Self.label(tick), x(tick), top + height + 0.8 * letters, height: letters, Self.ink, .around)
    }
    for tick in Self.ticks(outputs, most: Int(height / (3 * letters))) {
      picture.line(left, y(tick), left + width, y(tick), width: tick == 0 || tick == 1 ? 2 : 1, Self.grid)
      picture.write(Self.label(tick), left - letters, y(tick) - letters / 2, height: letters, Self.ink, .ending)
    }
  }

  /// The curve of `function`, held within the outputs.
  ///
  /// - Parameter end: where it ends; `nil` for the end of the inputs.
  func curve(to end: Double? = nil, _ function: (Double) -> Double) -> [SIMD2<Double>] {
    let steps = 400, span = min(end ?? inputs.upperBound, inputs.upperBound) - inputs.lowerBound
    return (0...steps).map { step in
      let input = inputs.lowerBound + span * Double(step) / Double(steps)
      return SIMD2(x(input), y(min(max(function(input), outputs.lowerBound), outputs.upperBound)))
    }
  }

  /// Draws the three channels of `function` over the inputs.
  func drawCurves(on picture: inout Picture, thickness: Double, _ function: (Double) -> SIMD3<Double>) {
    let steps = Int(width)
    var last = function(inputs.lowerBound)
    for step in 1...steps {
      let input = inputs.lowerBound + length(inputs) * Double(step) / Double(steps)
      let value = function(input)
      let before = inputs.lowerBound + length(inputs) * Double(step - 1) / Double(steps)
      for channel in 0..<3 {
        picture.line(
          x(before), y(last[channel]), x(input), y(value[channel]), width: thickness, Self.channels[channel], .lighten)
      }
      last = value
    }
  }

  /// Round numbers inside `range`, at most about `most`; none if the range is too short or too long to distinguish
  /// numbers of its size.
  static func ticks(_ range: ClosedRange<Double>, most: Int) -> [Double] {
    let (low, high) = (range.lowerBound, range.upperBound), rough = (high - low) / Double(max(most, 1))
    guard rough.isFinite, rough > 4 * max(low.magnitude, high.magnitude).ulp else { return [] }
    var power = 1.0
    while power > rough { power /= 10 }
    while power * 10 <= rough { power *= 10 }
    let step = power * ([1, 2, 2.5, 5].first { $0 * power >= rough } ?? 10)
    let first = Int((low / step).rounded(.up)), last = Int((high / step).rounded(.down))
    return first <= last ? (first...last).map { Double($0) * step } : []
  }

  /// The number without trailing zeros.
  static func label(_ value: Double) -> String {
    let thousandths = (value * 1000).rounded() / 1000
    return thousandths == thousandths.rounded() && thousandths.magnitude < 1e9
      ? String(Int(thousandths)) : "\(thousandths)"
  }
}
