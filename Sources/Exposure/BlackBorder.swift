/// How many of a grid's outer rows and columns are black bars and not picture.
///
/// A bar counts as such where every sample from the edge on is black; what changes from frame to frame, such as the
/// noise of a night sky, leaves it where it was. A picture that is black throughout has no border.
struct BlackBorder: Hashable, Sendable {
  var top = 0
  var bottom = 0
  var left = 0
  var right = 0

  static let none = BlackBorder()

  /// - Parameters:
  ///   - brightestOfRows: the greatest code of each row; `brightestOfColumns` likewise.
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

/// A border that has to be seen in so many frames in a row before it counts, so that a picture whose edge is nearly
/// black is not measured with it now and without it then.
struct SteadyBorder: Sendable {
  /// Half a second at 24 fps: longer than a passage of black, shorter than anyone waits for a change of aspect.
  static let framesToBelieve = 12

  private(set) var border = BlackBorder.none
  private var candidate = BlackBorder.none
  /// Frames in which the candidate was seen; `nil` before the first frame, which is believed.
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
