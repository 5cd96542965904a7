/// The list of keys, over the pictures and what is written on them.
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

  /// In a rectangle, which it darkens.
  func draw(on commands: inout [DrawCommand], in rect: ViewRect, isWall: Bool) {
    let lines = KeysPanel.lines(isWall: isWall)
    let columns = 9 + (lines.map(\.meaning.count).max() ?? 0)
    // As large as it fits: a line takes 7/4 of its capitals, as do sentences.
    let height = max(
      6, min(layout.textHeight, rect.height * 4 / (7 * (lines.count + 1)), rect.width / (columns + 2)))
    let step = height * 7 / 4, letter = ViewLayout.letter(height)
    let list = rect.center(width: Int(Double(columns) * letter), height: lines.count * step)
    commands.append(.fill(rect, ViewColor(0, 0, 0, alpha: 228)))
    for (index, line) in lines.enumerated() {
      let middle = list.y + step * index + step / 2
      commands.write(line.name, x: list.x, middle: middle, height: height, .amber)
      commands.write(line.meaning, x: list.x + Int(9 * letter), middle: middle, height: height, .text)
    }
  }
}
