/// A part of the upright picture, in parts of its width and height from the upper left corner.
public struct PictureCrop: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public static let whole = PictureCrop(x: 0, y: 0, width: 1, height: 1)

  /// - Precondition: the part has a size, and lies within the picture.
  public init(x: Double, y: Double, width: Double, height: Double) {
    precondition(
      x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 1 + 1e-9 && y + height <= 1 + 1e-9,
      "a crop lies within the picture")
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
