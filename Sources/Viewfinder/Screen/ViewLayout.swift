import Drawing

/// Where things are in a window of some size.
struct ViewLayout: Hashable {
  let width, height: Int
  /// Of capitals.
  let textHeight: Int
  /// Of a row of text.
  let rowHeight: Int
  /// Of the frame that says whether a film is being recorded.
  let border: Int
  /// From the window's edge to the first letter.
  let margin: Int

  /// - Parameters:
  ///   - width, height: of the window in pixels.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    // On the 800×480 pixels of a small screen, letters are still 12 pixels high.
    textHeight = max(12, min(width / 76, height / 45))
    rowHeight = textHeight * 11 / 5
    border = max(4, textHeight / 3)
    margin = textHeight / 2
  }

  /// The rows above and below the picture; empty if only the picture is shown.
  func rows(isShown: Bool) -> (top: ViewRect, bottom: ViewRect) {
    let height = isShown ? rowHeight : 0
    return (
      ViewRect(x: 0, y: 0, width: width, height: height),
      ViewRect(x: 0, y: self.height - height, width: width, height: height)
    )
  }

  /// Where the picture of one camera may be.
  func live(showsRows: Bool) -> ViewRect {
    let (top, bottom) = rows(isShown: showsRows)
    return ViewRect(x: 0, y: top.bottom, width: width, height: bottom.y - top.bottom).inset(by: border)
  }

  /// From one letter to the next, in pixels.
  var letter: Double { ViewLayout.letter(textHeight) }

  static func letter(_ height: Int) -> Double {
    StrokeFont.width(of: "00", height: Double(height)) - StrokeFont.width(of: "0", height: Double(height))
  }

  /// How many letters fit into a width.
  func columns(in width: Int) -> Int { max(0, Int((Double(width - 2 * margin) + letter - 1) / letter)) }
}
