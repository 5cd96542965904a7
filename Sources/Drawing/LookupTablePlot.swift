public import Color

/// Draws the effect of a table: neutrals and the ramps of the primaries as curves; ramps and a slice as colours, before
/// and after.
///
/// The picture has 1600×1200 pixels. Colours are shown unchanged, clamped to 0…1.
public struct LookupTablePlot {
  private let table: LookupTable
  /// The table's own input, and at least 0…1.
  private let inputs: ClosedRange<Double>
  private let outputs: ClosedRange<Double>

  private static let ramps: [(name: String, color: SIMD3<Double>)] = [
    ("neutral", [1, 1, 1]), ("red", [1, 0, 0]), ("green", [0, 1, 0]), ("blue", [0, 0, 1]), ("cyan", [0, 1, 1]),
    ("magenta", [1, 0, 1]), ("yellow", [1, 1, 0]),
  ]
  private static let letters = 13.0

  public init(of table: LookupTable) {
    self.table = table
    let facts = table.facts
    inputs = min(0, facts.domainMin.min())...max(1, facts.domainMax.max())
    var least = 0.0, greatest = 1.0
    for ramp in Self.ramps.prefix(4) {
      for step in 0...256 {
        let input = inputs.lowerBound + (inputs.upperBound - inputs.lowerBound) * Double(step) / 256
        let value = table.evaluate(ramp.color * input, interpolation: .tetrahedral)
        least = min(least, value.min())
        greatest = max(greatest, value.max())
      }
    }
    outputs = least...greatest
  }

  /// - Parameter heading: lines at the top: the first large, the second small.
  public func picture(heading: [String]) -> Picture {
    var picture = Picture(width: 1600, height: 1200, [0.08, 0.083, 0.09])
    for (index, line) in heading.prefix(2).enumerated() {
      let letters = index == 0 ? 24.0 : Self.letters
      let room = Int(1520 / (letters * 5.6 / 6))
      picture.write(String(line.prefix(room)), 40, 32 + 46 * Double(index), height: letters, [0.9, 0.91, 0.93])
    }
    drawCurves(on: &picture)
    drawRamps(on: &picture)
    drawSlice(on: &picture)
    return picture
  }

  private func value(_ color: SIMD3<Double>) -> SIMD3<Double> { table.evaluate(color, interpolation: .tetrahedral) }

  private func drawCurves(on picture: inout Picture) {
    let neutrals = Chart(left: 110, top: 160, width: 810, height: 560, inputs: inputs, outputs: outputs)
    neutrals.drawFrame(on: &picture, heading: "neutrals: output over input", letters: Self.letters)
    neutrals.drawCurves(on: &picture, thickness: 3) { value(SIMD3(repeating: $0)) }
    for (index, ramp) in Self.ramps[1...3].enumerated() {
      let chart = Chart(
        left: 1020, top: 160 + 206 * Double(index), width: 540, height: 148, inputs: inputs, outputs: outputs)
      chart.drawFrame(on: &picture, heading: "\(ramp.name) alone", letters: 10)
      chart.drawCurves(on: &picture, thickness: 2) { value(ramp.color * $0) }
    }
  }

  /// Draws the input of each ramp above its output.
  private func drawRamps(on picture: inout Picture) {
    let (left, top, width, pitch) = (160.0, 832.0, 760.0, 48.0)
    picture.write("ramps: input above, output below", left, top - 28, height: Self.letters, Chart.ink)
    for (index, ramp) in Self.ramps.enumerated() {
      let y = top + pitch * Double(index)
      picture.write(ramp.name, left - 14, y + 13, height: Self.letters, Chart.ink, .ending)
      for column in 0..<Int(width) {
        let color = ramp.color * input(at: (Double(column) + 0.5) / width)
        let x = left + Double(column)
        picture.fill(x, y, x + 1, y + 19, color)
        picture.fill(x, y + 19, x + 1, y + 38, value(color))
      }
    }
  }

  /// Draws a slice, before and after: red to the right, green upwards, blue at a half.
  private func drawSlice(on picture: inout Picture) {
    let (top, side) = (832.0, 260)
    let blue = input(at: 0.5)
    for (index, name) in ["slice: input", "slice: output"].enumerated() {
      let left = 1020 + 280 * index
      picture.write(name, Double(left), top - 28, height: Self.letters, Chart.ink)
      for row in 0..<side {
        for column in 0..<side {
          let red = input(at: (Double(column) + 0.5) / Double(side))
          let green = input(at: 1 - (Double(row) + 0.5) / Double(side))
          let color = SIMD3(red, green, blue)
          picture.set(left + column, Int(top) + row, index == 0 ? color : value(color))
        }
      }
    }
    let axes = "red to the right, green upwards, blue \(Chart.label(blue))"
    picture.write(axes, 1020, top + Double(side) + 16, height: 10, Chart.ink)
    let legend = ["curves: the three channels, white where they meet", "thin line: no change"]
    for (index, line) in legend.enumerated() {
      picture.write(line, 1020, top + Double(side) + 40 + 22 * Double(index), height: 10, Chart.ink)
    }
  }

  private func input(at share: Double) -> Double {
    inputs.lowerBound + (inputs.upperBound - inputs.lowerBound) * share
  }
}
