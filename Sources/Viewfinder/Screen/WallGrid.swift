/// The places of several cameras in a window: those in which their pictures are largest.
struct WallGrid: Hashable {
  let columns, rows: Int
  let area: ViewRect

  /// The shape that most pictures have.
  private static let shape = 16.0 / 9

  /// - Parameters:
  ///   - caption: the height of the text below each picture.
  init(count: Int, in area: ViewRect, caption: Int) {
    self.area = area
    var best = (columns: 1, rows: max(1, count)), most = -1
    for columns in 1...max(1, count) {
      let rows = (max(1, count) + columns - 1) / columns
      let room = ViewRect(x: 0, y: 0, width: area.width / columns, height: area.height / rows - caption)
      let picture = room.fit(shape: WallGrid.shape)
      if picture.width * picture.height > most { (best, most) = ((columns, rows), picture.width * picture.height) }
    }
    (columns, rows) = best
  }

  /// The place of a camera, by its number from 0.
  func tile(_ index: Int) -> ViewRect {
    let column = index % columns, row = index / columns
    let left = area.x + area.width * column / columns, top = area.y + area.height * row / rows
    return ViewRect(
      x: left, y: top, width: area.x + area.width * (column + 1) / columns - left,
      height: area.y + area.height * (row + 1) / rows - top)
  }

  /// The number of the camera at a point.
  func index(at point: ViewPoint, count: Int) -> Int? {
    (0..<count).first { tile($0).contains(x: point.x, y: point.y) }
  }
}
