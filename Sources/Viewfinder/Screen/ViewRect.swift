/// A rectangle of the window in whole pixels, from its upper left corner.
public struct ViewRect: Hashable, Sendable {
  public var x, y, width, height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  public var right: Int { x + width }
  public var bottom: Int { y + height }
  public var isEmpty: Bool { width == 0 || height == 0 }

  public func contains(x: Int, y: Int) -> Bool { (self.x..<right).contains(x) && (self.y..<bottom).contains(y) }

  /// Smaller by so many pixels on each side; larger if they are below 0.
  public func inset(by pixels: Int) -> ViewRect {
    ViewRect(x: x + pixels, y: y + pixels, width: width - 2 * pixels, height: height - 2 * pixels)
  }

  /// A rectangle of this size in the middle of this one.
  func center(width: Int, height: Int) -> ViewRect {
    ViewRect(
      x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
  }

  /// The largest rectangle of a shape in the middle of this one. Its sides are even: so are those of pictures.
  ///
  /// - Parameter shape: width through height.
  func fit(shape: Double) -> ViewRect {
    guard shape > 0, shape.isFinite, !isEmpty else { return center(width: 0, height: 0) }
    func even(_ length: Double, _ limit: Int) -> Int { min(limit, 2 * Int((length / 2).rounded())) & ~1 }
    return Double(width) < Double(height) * shape
      ? center(width: width & ~1, height: even(Double(width) / shape, height))
      : center(width: even(Double(height) * shape, width), height: height & ~1)
  }
}
