public import Frames

/// Which pictures a subscriber wants.
public struct PictureRequest: Hashable, Sendable {
  /// As the film has it, with LUT and look; otherwise as the camera sends it.
  public let isGraded: Bool
  /// In pixels of the upright picture. A crop that has fewer is not enlarged.
  public let width: Int
  public let crop: MonitorCrop
  /// Pictures a second, at most.
  public let rate: Double
  /// Of JPEG.
  public let quality: Int

  public static let defaultWidth = 960, defaultRate = 30.0, defaultQuality = 75

  /// - Throws: code `usage`, with a sentence that names the value.
  public init(
    isGraded: Bool = true, width: Int = defaultWidth, crop: MonitorCrop = .whole, rate: Double = defaultRate,
    quality: Int = defaultQuality
  ) throws(CamrecError) {
    try MonitorLimits.check(width: width)
    try MonitorLimits.check(rate: rate)
    try MonitorLimits.check(quality: quality)
    self.isGraded = isGraded
    self.width = width
    self.crop = crop
    self.rate = rate
    self.quality = quality
  }
}
