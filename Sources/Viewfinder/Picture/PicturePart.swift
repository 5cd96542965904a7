import Frames
import RecorderAPI

/// A part of an upright picture: as parts of its width and height, from the upper left corner.
public struct PicturePart: Hashable, Sendable {
  public var x, y, width, height: Double

  public static let whole = PicturePart(x: 0, y: 0, width: 1, height: 1)

  /// Moved into the picture, and made smaller if it is larger.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.width = min(1, max(0, width))
    self.height = min(1, max(0, height))
    self.x = min(max(0, x), 1 - self.width)
    self.y = min(max(0, y), 1 - self.height)
  }

  /// As a request takes it; the whole picture if the part is empty.
  var crop: MonitorCrop {
    (try? MonitorCrop(x: x, y: y, width: min(width, 1 - x), height: min(height, 1 - y))) ?? .whole
  }

  /// What both have; `nil` if that is nothing.
  func intersection(_ other: PicturePart) -> PicturePart? {
    let left = max(x, other.x), top = max(y, other.y)
    let right = min(x + width, other.x + other.width), bottom = min(y + height, other.y + other.height)
    return right > left && bottom > top ? PicturePart(x: left, y: top, width: right - left, height: bottom - top) : nil
  }

  /// Where the part of `other` lies in a picture of this part.
  func place(of other: PicturePart) -> PicturePart {
    PicturePart(
      x: (other.x - x) / width, y: (other.y - y) / height, width: other.width / width, height: other.height / height)
  }
}
