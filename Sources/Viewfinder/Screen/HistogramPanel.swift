import Foundation
import RecorderAPI

/// The histogram of the frame over a corner of the picture: luma as an area, red, green and blue as lines.
struct HistogramPanel {
  private let measures: MeasuresPayload?
  private let layout: ViewLayout

  init(_ measures: MeasuresPayload?, _ layout: ViewLayout) {
    self.measures = measures
    self.layout = layout
  }

  /// Fewer columns are drawn from sums.
  private static let mostColumns = 256

  func draw(on commands: inout [DrawCommand], in live: ViewRect) {
    let columns = min(HistogramPanel.mostColumns, live.width / 3 & ~1), height = columns * 3 / 8
    guard columns >= 16, height + layout.rowHeight <= live.height else { return }
    let panel = ViewRect(
      x: live.right - columns - layout.margin, y: live.y + layout.margin, width: columns,
      height: height + layout.rowHeight)
    commands.append(.fill(panel, .shade))
    guard let measures else { return }
    let plot = ViewRect(x: panel.x, y: panel.y + layout.rowHeight, width: columns, height: height)
    let curves = [measures.luma, measures.red, measures.green, measures.blue].map {
      HistogramPanel.columns(of: $0, columns)
    }
    let most = HistogramPanel.most(curves)
    func top(_ value: Double) -> Int { plot.bottom - Int(min(1, (value / most).squareRoot()) * Double(height)) }
    for (column, value) in curves[0].enumerated() where value > 0 {
      let y = min(top(value), plot.bottom - 1)
      let bar = ViewRect(x: plot.x + column, y: y, width: 1, height: plot.bottom - y)
      commands.append(.fill(bar, ViewColor(200, 200, 200, alpha: 128)))
    }
    for (curve, color) in zip(curves.dropFirst(), [ViewColor.redText, .green, .blue]) {
      let points = curve.enumerated().map { column, value in
        ViewPoint(x: plot.x + column, y: min(top(value), plot.bottom - 1))
      }
      commands.append(.line(points, color))
    }
    let text = HistogramPanel.words(measures)
    let room = Double(columns - layout.margin) / Double(max(1, text.count)) / ViewLayout.letter(100)
    let size = min(layout.textHeight, Int(100 * room))
    commands.write(text, x: panel.x + layout.margin / 2, middle: panel.y + layout.rowHeight / 2, height: size, .text)
  }

  /// Sums of the counts of neighbouring code values.
  static func columns(of counts: [UInt32], _ columns: Int) -> [Double] {
    (0..<columns).map { column in
      let first = column * counts.count / columns, end = max(first + 1, (column + 1) * counts.count / columns)
      return counts[first..<min(end, counts.count)].reduce(0) { $0 + Double($1) }
    }
  }

  /// The height of the plot: what is clipped at either end does not flatten the rest.
  private static func most(_ curves: [[Double]]) -> Double {
    max(1, curves.map { $0.dropFirst().dropLast().max() ?? 0 }.max() ?? 0)
  }

  /// `clipped 0.3 %`: the pixels of which a colour is at the end of its range.
  static func words(_ measures: MeasuresPayload) -> String {
    let pixels = measures.luma.reduce(0) { $0 + Double($1) }
    let clipped = [measures.red, measures.green, measures.blue].map { Double($0.last ?? 0) }.max() ?? 0
    guard pixels > 0 else { return "no pixels" }
    return String(format: "clipped %.1f %%", 100 * clipped / pixels)
  }
}
