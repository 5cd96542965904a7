/// One thing to draw. A window draws them in their order on black.
public enum DrawCommand: Hashable, Sendable {
  case fill(ViewRect, ViewColor)
  /// Text whose capitals have this height, with their top left corner at (x, y).
  case text(String, x: Int, y: Int, height: Int, ViewColor)
  /// Lines from each point to the next.
  case line([ViewPoint], ViewColor)
  /// A part of a recorder's latest picture, in this rectangle.
  case picture(ViewedRecorder.ID, PicturePart, ViewRect)
}

/// A point of the window in pixels.
public struct ViewPoint: Hashable, Sendable {
  public var x, y: Int

  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

extension [DrawCommand] {
  /// The edges of a rectangle, outside of it.
  mutating func frame(_ rect: ViewRect, width: Int, _ color: ViewColor) {
    let outer = rect.inset(by: -width)
    append(.fill(ViewRect(x: outer.x, y: outer.y, width: outer.width, height: width), color))
    append(.fill(ViewRect(x: outer.x, y: rect.bottom, width: outer.width, height: width), color))
    append(.fill(ViewRect(x: outer.x, y: rect.y, width: width, height: rect.height), color))
    append(.fill(ViewRect(x: rect.right, y: rect.y, width: width, height: rect.height), color))
  }
}
