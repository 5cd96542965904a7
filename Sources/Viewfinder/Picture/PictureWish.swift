import Frames
import RecorderAPI

/// What the window wants of a recorder's monitor.
public struct PictureWish: Hashable, Sendable {
  public var isGraded: Bool
  /// Of the pictures, in pixels: never more than the window shows.
  public var width: Int
  public var part: PicturePart
  /// Pictures a second, at most.
  public var rate: Double
  public var wantsMeasures: Bool

  public init(isGraded: Bool, width: Int, part: PicturePart = .whole, rate: Double, wantsMeasures: Bool = false) {
    self.isGraded = isGraded
    let widths = MonitorProtocol.widths
    self.width = min(max(width, widths.lowerBound), widths.upperBound)
    self.part = part
    self.rate = rate
    self.wantsMeasures = wantsMeasures
  }

  /// Fine enough to judge focus by.
  static let quality = 85
  /// Measures a second.
  static let measuresRate = 10.0

  var request: PictureRequest {
    get throws(CamrecError) {
      try PictureRequest(isGraded: isGraded, width: width, crop: part.crop, rate: rate, quality: PictureWish.quality)
    }
  }

  var measuresRequest: MeasuresRequest {
    get throws(CamrecError) { try MeasuresRequest(isGraded: isGraded, rate: PictureWish.measuresRate) }
  }

  /// Whether it asks for the same pictures.
  func hasSamePictures(as other: PictureWish) -> Bool {
    var other = other
    other.wantsMeasures = wantsMeasures
    return self == other
  }
}
