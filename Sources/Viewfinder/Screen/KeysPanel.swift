/// The list of keys, over everything.
struct KeysPanel {
  private let layout: ViewLayout

  init(_ layout: ViewLayout) { self.layout = layout }

  /// - Parameter isWall: all cameras are shown.
  static func lines(isWall: Bool) -> [(name: String, meaning: String)] {
    guard isWall else {
      return ViewKey.allCases.map { ($0.names, $0.meaning) } + [
        ("wheel", "larger or smaller"), ("drag", "move the picture"),
      ]
    }
    return [("1 to 9", "one camera, as does a click")]
      + [ViewKey.graded, .fullScreen, .help, .quit].map { ($0.names, $0.meaning) }
  }

  func draw(on commands: inout [DrawCommand], isWall: Bool) {
    let lines = KeysPanel.lines(isWall: isWall)
    let columns = 8 + (lines.map(\.meaning.count).max() ?? 0)
    // As large as it fits.
    let height = max(
      6, min(layout.textHeight, layout.height / (2 * lines.count + 2), layout.width * 6 / (6 * (columns + 3))))
    let step = height * 2, letter = ViewLayout.letter(height)
    let rect = ViewRect(x: 0, y: 0, width: layout.width, height: layout.height).center(
      width: min(layout.width, Int(Double(columns + 2) * letter)), height: min(layout.height, (lines.count + 1) * step))
    commands.append(.fill(rect, ViewColor(0, 0, 0, alpha: 228)))
    for (index, line) in lines.enumerated() {
      let middle = rect.y + step * (index + 1)
      commands.write(line.name, x: rect.x + Int(letter), middle: middle, height: height, .amber)
      commands.write(line.meaning, x: rect.x + Int(9 * letter), middle: middle, height: height, .text)
    }
  }
}
