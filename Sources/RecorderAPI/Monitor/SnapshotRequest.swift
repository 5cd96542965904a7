public import Frames

/// Which picture of the latest frame somebody wants as an image file.
public struct SnapshotRequest: Hashable, Sendable {
  public enum Format: String, Hashable, Sendable, CaseIterable, Codable {
    case jpeg, png
  }

  /// As the film has it, with LUT and look; otherwise as the camera sends it.
  public let isGraded: Bool
  public let format: Format
  /// In pixels of the upright picture; `nil`: as many as the frame has. A frame that has fewer is not enlarged.
  public let width: Int?
  /// Of JPEG.
  public let quality: Int
  /// A frame that is old is wanted, too: of a camera that sends no more.
  public let takesStale: Bool

  public static let defaultQuality = 90

  /// - Throws: code `usage`, with a sentence that names the value.
  public init(
    isGraded: Bool = true, format: Format = .jpeg, width: Int? = nil, quality: Int = defaultQuality,
    takesStale: Bool = false
  ) throws(CamrecError) {
    if let width { try MonitorLimits.check(width: width) }
    try MonitorLimits.check(quality: quality)
    self.isGraded = isGraded
    self.format = format
    self.width = width
    self.quality = quality
    self.takesStale = takesStale
  }
}
