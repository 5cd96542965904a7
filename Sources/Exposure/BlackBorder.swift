/// The number of a grid's outer rows and columns that are black bars rather than picture.
///
/// A bar counts only if every sample from the edge on is black. Content that changes from frame to frame, such as the
/// noise of a night sky, does not move the border. A completely black frame has no border.
struct BlackBorder: Hashable, Sendable {
  var top = 0
  var bottom = 0
  var left = 0
  var right = 0

  static let none = BlackBorder()

  /// - Parameters:
  ///   - brightestOfRows: the greatest code of each row; `brightestOfColumns`: of each column.
  ///   - limit: the greatest code that counts as black.
  init(brightestOfRows rows: [Int], brightestOfColumns columns: [Int], limit: Int) {
    guard let first = rows.firstIndex(where: { $0 > limit }), let last = rows.lastIndex(where: { $0 > limit }),
      let firstColumn = columns.firstIndex(where: { $0 > limit }),
      let lastColumn = columns.lastIndex(where: { $0 > limit })
    else { return }
    (top, bottom) = (first, rows.count - 1 - last)
    (left, right) = (firstColumn, columns.count - 1 - lastColumn)
  }

  private init() {}
}

/// A border that counts only after `framesToBelieve` frames in a row, so that the metered area of a frame with a nearly
/// black edge does not switch back and forth.
struct SteadyBorder: Sendable {
  /// Half a second at 24 fps: longer than a black edge that passes, short enough after a change of aspect ratio.
  static let framesToBelieve = 12

  private(set) var border = BlackBorder.none
  private var candidate = BlackBorder.none
  /// Frames in which the candidate was seen; `nil` before the first frame, which counts at once.
  private var seen: Int?

  mutating func take(_ found: BlackBorder) {
    guard let seen else {
      (border, candidate, self.seen) = (found, found, 0)
      return
    }
    guard found != border else {
      self.seen = 0
      return
    }
    self.seen = found == candidate ? seen + 1 : 1
    candidate = found
    if self.seen == Self.framesToBelieve { (border, self.seen) = (found, 0) }
  }
}
