import CExif
import Foundation
public import Frames

/// A still's metadata as EXIF (CIPA DC-008), written with libexif.
///
/// Thread: one at a time.
public struct ExifBlock: ~Copyable {
  private let data: UnsafeMutablePointer<ExifData>
  private static let order = EXIF_BYTE_ORDER_INTEL

  /// - Throws: code `defect` if there is no memory.
  public init(_ facts: StillFacts) throws(CamrecError) {
    guard let data = exif_data_new() else { throw CamrecError(.defect, "there is no memory for a still's metadata") }
    self.data = data
    exif_data_set_byte_order(data, ExifBlock.order)
    put(EXIF_TAG_MODEL, EXIF_IFD_0, text: facts.camera)
    put(EXIF_TAG_SOFTWARE, EXIF_IFD_0, text: facts.software)
    put(EXIF_TAG_ORIENTATION, EXIF_IFD_0, short: ExifBlock.orientation(facts.rotation))
    for tag in [EXIF_TAG_X_RESOLUTION, EXIF_TAG_Y_RESOLUTION] { put(tag, EXIF_IFD_0, rational: (72, 1)) }
    put(EXIF_TAG_RESOLUTION_UNIT, EXIF_IFD_0, short: 2)
    put(EXIF_TAG_YCBCR_POSITIONING, EXIF_IFD_0, short: 1)
    put(EXIF_TAG_EXIF_VERSION, EXIF_IFD_EXIF, EXIF_FORMAT_UNDEFINED, Array("0231".utf8))
    put(EXIF_TAG_COMPONENTS_CONFIGURATION, EXIF_IFD_EXIF, EXIF_FORMAT_UNDEFINED, [1, 2, 3, 0])
    put(EXIF_TAG_FLASH_PIX_VERSION, EXIF_IFD_EXIF, EXIF_FORMAT_UNDEFINED, Array("0100".utf8))
    put(EXIF_TAG_PIXEL_X_DIMENSION, EXIF_IFD_EXIF, long: facts.width)
    put(EXIF_TAG_PIXEL_Y_DIMENSION, EXIF_IFD_EXIF, long: facts.height)
    // Uncalibrated, because the colours are the camera's; with a look, sRGB. Custom rendering tells other programs to
    // leave the colours as they are (CIPA DC-008, 4.6.5).
    put(EXIF_TAG_COLOR_SPACE, EXIF_IFD_EXIF, short: facts.hasLook ? 1 : 0xFFFF)
    if facts.hasLook { put(EXIF_TAG_CUSTOM_RENDERED, EXIF_IFD_EXIF, short: 1) }
    put(facts.date, in: facts.timeZone)
    put(exposureOf: facts)
  }

  deinit { exif_data_unref(data) }

  /// A JPEG image with this metadata as its first segment (JEITA CP-3451, 4.5).
  ///
  /// - Parameter image: begins with its start marker.
  /// - Throws: code `defect` if it is not a JPEG, or the metadata does not fit into a segment.
  public func written(into image: [UInt8]) throws(CamrecError) -> [UInt8] {
    let saved = saved
    guard !saved.isEmpty, saved.count < 65_533, image.starts(with: [0xFF, 0xD8]) else {
      throw CamrecError(.defect, "a still's metadata cannot be written into its JPEG")
    }
    let size = saved.count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + saved + image.dropFirst(2)
  }

  /// From the TIFF header on, as a PNG has it; empty without memory.
  public var bytes: [UInt8] { Array(saved.dropFirst(ExifBlock.head.count)) }

  private static let head = Array("Exif\0\0".utf8)

  /// As a JPEG has it, with its head.
  private var saved: [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt32 = 0
    exif_data_save_data(data, &bytes, &count)
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count)))
  }

  // MARK: Facts

  private func put(_ date: Date, in zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
    let time = String(
      format: "%04d:%02d:%02d %02d:%02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0, parts.hour ?? 0,
      parts.minute ?? 0, parts.second ?? 0)
    let milliseconds = String(format: "%03d", (parts.nanosecond ?? 0) / 1_000_000)
    let minutes = zone.secondsFromGMT(for: date) / 60
    let offset = String(format: "%@%02d:%02d", minutes < 0 ? "-" : "+", abs(minutes) / 60, abs(minutes) % 60)
    put(EXIF_TAG_DATE_TIME, EXIF_IFD_0, text: time)
    for tag in [EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_TAG_DATE_TIME_DIGITIZED] { put(tag, EXIF_IFD_EXIF, text: time) }
    for tag in [EXIF_TAG_OFFSET_TIME, EXIF_TAG_OFFSET_TIME_ORIGINAL, EXIF_TAG_OFFSET_TIME_DIGITIZED] {
      put(tag, EXIF_IFD_EXIF, text: offset)
    }
    for tag in [EXIF_TAG_SUB_SEC_TIME, EXIF_TAG_SUB_SEC_TIME_ORIGINAL, EXIF_TAG_SUB_SEC_TIME_DIGITIZED] {
      put(tag, EXIF_IFD_EXIF, text: milliseconds)
    }
  }

  private func put(exposureOf facts: StillFacts) {
    if let seconds = facts.exposureTime, seconds > 0, seconds < 1e6 {
      put(EXIF_TAG_EXPOSURE_TIME, EXIF_IFD_EXIF, rational: ExifBlock.fraction(of: seconds))
      // APEX (CIPA DC-008, annex C): Tv = -log2 t.
      put(EXIF_TAG_SHUTTER_SPEED_VALUE, EXIF_IFD_EXIF, signed: ExifBlock.thousandths(-log2(seconds)))
    }
    if let iso = facts.iso, iso >= 1 {
      put(EXIF_TAG_ISO_SPEED_RATINGS, EXIF_IFD_EXIF, short: UInt16(min(iso.rounded(), 65_535)))
      // The value recommended by the maker, because it was not measured by ISO 12232.
      put(EXIF_TAG_SENSITIVITY_TYPE, EXIF_IFD_EXIF, short: 2)
      put(EXIF_TAG_RECOMMENDED_EXPOSURE_INDEX, EXIF_IFD_EXIF, long: Int(min(iso.rounded(), 1e9)))
    }
    if let bias = facts.bias, abs(bias) < 100 {
      put(EXIF_TAG_EXPOSURE_BIAS_VALUE, EXIF_IFD_EXIF, signed: ExifBlock.thousandths(bias))
    }
    // Manual exposure.
    if facts.exposureTime != nil {
      put(EXIF_TAG_EXPOSURE_PROGRAM, EXIF_IFD_EXIF, short: 1)
      put(EXIF_TAG_EXPOSURE_MODE, EXIF_IFD_EXIF, short: facts.bias == nil ? 1 : 2)
    }
  }

  /// `1/125` for times near that, else microseconds.
  package static func fraction(of seconds: Double) -> (UInt32, UInt32) {
    let inverse = (1 / seconds).rounded()
    if seconds < 0.4, inverse < 1e6, abs(1 / inverse / seconds - 1) < 1e-4 { return (1, UInt32(inverse)) }
    return seconds < 4000 ? (UInt32((seconds * 1e6).rounded()), 1_000_000) : (UInt32(seconds.rounded()), 1)
  }

  private static func thousandths(_ value: Double) -> (Int32, Int32) { (Int32((value * 1000).rounded()), 1000) }

  /// The EXIF orientation (CIPA DC-008, 4.6.4) of a still that must be turned clockwise by `rotation`.
  private static func orientation(_ rotation: Rotation) -> UInt16 {
    switch rotation {
    case .none: 1
    case .quarter: 6
    case .half: 3
    case .threeQuarters: 8
    }
  }

  // MARK: Entries

  private func put(_ tag: ExifTag, _ place: ExifIfd, text: String) {
    // A camera's name may contain characters that an ASCII entry cannot.
    let bytes = text.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? UInt8($0.value) : UInt8(ascii: "?") }
    put(tag, place, EXIF_FORMAT_ASCII, bytes + [0])
  }

  private func put(_ tag: ExifTag, _ place: ExifIfd, short value: UInt16) {
    put(tag, place, EXIF_FORMAT_SHORT, withUnsafeBytes(of: value.littleEndian, Array.init), each: 2)
  }

  private func put(_ tag: ExifTag, _ place: ExifIfd, long value: Int) {
    put(tag, place, EXIF_FORMAT_LONG, withUnsafeBytes(of: UInt32(clamping: value).littleEndian, Array.init), each: 4)
  }

  private func put(_ tag: ExifTag, _ place: ExifIfd, rational value: (UInt32, UInt32)) {
    let bytes = [value.0, value.1].flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
    put(tag, place, EXIF_FORMAT_RATIONAL, bytes, each: 8)
  }

  private func put(_ tag: ExifTag, _ place: ExifIfd, signed value: (Int32, Int32)) {
    let bytes = [value.0, value.1].flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
    put(tag, place, EXIF_FORMAT_SRATIONAL, bytes, each: 8)
  }

  private func put(_ tag: ExifTag, _ place: ExifIfd, _ format: ExifFormat, _ bytes: [UInt8], each size: Int = 1) {
    data.content(place)?.add(tag, format, bytes, count: bytes.count / size)
  }
}
