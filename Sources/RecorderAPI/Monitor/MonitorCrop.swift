public import Frames

/// A part of the upright picture: as parts of its width and height, from the upper left corner.
public struct MonitorCrop: Hashable, Sendable {
  public let x, y, width, height: Double

  public static let whole = MonitorCrop()

  /// Sums of decimal fractions may be above 1 by this much.
  private static let tolerance = 1e-6

  private init() { (x, y, width, height) = (0, 0, 1, 1) }

  /// - Throws: code `usage` if it is not within the picture, or empty.
  public init(x: Double, y: Double, width: Double, height: Double) throws(CamrecError) {
    let isWithin = [x, y, width, height].allSatisfy { (0...1).contains($0) }
      && x + width <= 1 + MonitorCrop.tolerance && y + height <= 1 + MonitorCrop.tolerance
    let (right, bottom) = (1 - x, 1 - y)
    guard isWithin, min(width, right) > 0, min(height, bottom) > 0 else {
      let words = [x, y, width, height].map { "\($0)" }.joined(separator: ", ")
      throw CamrecError(
        .usage, "a crop is [x, y, width, height], each from 0 to 1 of the picture and all of it within, as in "
          + "[0.25, 0.25, 0.5, 0.5]; this is [\(words)]")
    }
    self.x = x
    self.y = y
    self.width = min(width, right)
    self.height = min(height, bottom)
  }
}
