import CPhotos

/// What a photograph's file says before its pixels.
public struct PhotoFacts: Hashable, Sendable {
  public var format: PhotoFormat
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// 1: grey; 3: red, green and blue.
  public var channels: Int
  /// 8 or 16.
  public var bits: Int
  /// A PNG that says it is sRGB, without a profile.
  public var isSRGB = false
  /// How a viewer turns the picture, 1 to 8 as EXIF numbers it, where the file says so beside EXIF: in a TIFF.
  public var orientation: Int?
  /// The ICC profile; empty if there is none, as for the others.
  public var profile: [UInt8] = []
  /// From its TIFF header on.
  public var exif: [UInt8] = []
  public var xmp: [UInt8] = []
  /// Whether a JPEG's XMP goes on in segments of its own, which are not read (XMP specification, part 3, 1.1.3.1).
  public var hasMoreXMP = false

  public init(format: PhotoFormat, width: Int, height: Int, channels: Int = 3, bits: Int) {
    self.format = format
    self.width = width
    self.height = height
    self.channels = channels
    self.bits = bits
  }

  /// Leaves out the metadata that is too long for the format: in a JPEG, EXIF and XMP have 64 KiB each.
  ///
  /// - Returns: what is left out, for people.
  public mutating func leaveOutLongMetadata() -> [String] {
    guard format == .jpeg else { return [] }
    var names: [String] = []
    if exif.count > Int(CP_MAX_JPEG_EXIF) {
      exif = []
      names.append("EXIF")
    }
    if xmp.count > Int(CP_MAX_JPEG_XMP) {
      xmp = []
      names.append("XMP")
    }
    return names
  }

  /// Bytes.
  public var rowBytes: Int { width * channels * bits / 8 }
}
