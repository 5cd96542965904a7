import CExif
import Foundation

/// The EXIF of a photograph that is edited: what is there stays, but for what the edit makes wrong.
///
/// Thread: one at a time.
public struct PhotoExif: ~Copyable {
  /// Whether the bytes that it was read from were EXIF.
  public let isRead: Bool
  private let data: UnsafeMutablePointer<ExifData>

  private static let head = Array("Exif\0\0".utf8)

  /// - Parameter bytes: from the TIFF header on; empty for a photograph without EXIF.
  /// - Returns: `nil` without memory.
  public init?(reading bytes: [UInt8]) {
    guard let data = exif_data_new() else { return nil }
    self.data = data
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    exif_data_set_option(data, EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE)
    guard !bytes.isEmpty else {
      isRead = true
      exif_data_set_byte_order(data, EXIF_BYTE_ORDER_INTEL)
      return
    }
    let whole = PhotoExif.head + bytes
    exif_data_load_data(data, whole, UInt32(clamping: whole.count))
    let counts = withUnsafeBytes(of: &data.pointee.ifd) { raw in
      raw.bindMemory(to: UnsafeMutablePointer<ExifContent>?.self).map { $0?.pointee.count ?? 0 }
    }
    isRead = counts.contains { $0 > 0 }
  }

  deinit { exif_data_unref(data) }

  /// Adobe RGB, as cameras say it without a profile: uncalibrated colours, interoperable as R03 (DCF 2.0, 5.3).
  public var isAdobeRGB: Bool {
    guard let entry = entry(EXIF_TAG_INTEROPERABILITY_INDEX, EXIF_IFD_INTEROPERABILITY) else { return false }
    let bytes = UnsafeBufferPointer(start: entry.pointee.data, count: Int(entry.pointee.size))
    return bytes.starts(with: Array("R03".utf8))
  }

  /// The program that made the picture; `nil` if it does not say.
  public var software: String? {
    guard let entry = entry(EXIF_TAG_SOFTWARE, EXIF_IFD_0) else { return nil }
    let bytes = UnsafeBufferPointer(start: entry.pointee.data, count: Int(entry.pointee.size))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// How a viewer turns the picture, 1 to 8.
  public var orientation: Int? {
    guard let entry = entry(EXIF_TAG_ORIENTATION, EXIF_IFD_0), entry.pointee.format == EXIF_FORMAT_SHORT,
      entry.pointee.size >= 2
    else { return nil }
    let value = Int(exif_get_short(entry.pointee.data, exif_data_get_byte_order(data)))
    return (1...8).contains(value) ? value : nil
  }

  /// Says which program made the picture and what was done to it, and which colours it has. The small picture in the
  /// old colours goes.
  public func edit(software: String, isSRGB: Bool, orientation: Int?) {
    free(data.pointee.data)
    data.pointee.data = nil
    data.pointee.size = 0
    let text = software.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? UInt8($0.value) : UInt8(ascii: "?") }
    put(EXIF_TAG_SOFTWARE, EXIF_IFD_0, EXIF_FORMAT_ASCII, text + [0], count: text.count + 1)
    put(EXIF_TAG_COLOR_SPACE, EXIF_IFD_EXIF, short: isSRGB ? 1 : 0xFFFF)
    // Other programs are to leave the colours as they are (CIPA DC-008, 4.6.5).
    put(EXIF_TAG_CUSTOM_RENDERED, EXIF_IFD_EXIF, short: 1)
    if self.orientation == nil, let orientation {
      put(EXIF_TAG_ORIENTATION, EXIF_IFD_0, short: UInt16(orientation))
    }
    if entry(EXIF_TAG_EXIF_VERSION, EXIF_IFD_EXIF) == nil {
      put(EXIF_TAG_EXIF_VERSION, EXIF_IFD_EXIF, EXIF_FORMAT_UNDEFINED, Array("0231".utf8), count: 4)
    }
    if let index = entry(EXIF_TAG_INTEROPERABILITY_INDEX, EXIF_IFD_INTEROPERABILITY) {
      exif_content_remove_entry(index.pointee.parent, index)
    }
  }

  /// From the TIFF header on; empty without memory.
  public var bytes: [UInt8] {
    var found: UnsafeMutablePointer<UInt8>?
    var count: UInt32 = 0
    exif_data_save_data(data, &found, &count)
    defer { free(found) }
    return Array(UnsafeBufferPointer(start: found, count: Int(count)).dropFirst(PhotoExif.head.count))
  }

  // MARK: Entries

  private func entry(_ tag: ExifTag, _ place: ExifIfd) -> UnsafeMutablePointer<ExifEntry>? {
    data.content(place).flatMap { exif_content_get_entry($0, tag) }
  }

  private func put(_ tag: ExifTag, _ place: ExifIfd, short value: UInt16) {
    let isSmallFirst = exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_INTEL
    let ordered = isSmallFirst ? value.littleEndian : value.bigEndian
    put(tag, place, EXIF_FORMAT_SHORT, withUnsafeBytes(of: ordered, Array.init), count: 1)
  }

  private func put(_ tag: ExifTag, _ place: ExifIfd, _ format: ExifFormat, _ bytes: [UInt8], count: Int) {
    if let old = entry(tag, place) { exif_content_remove_entry(old.pointee.parent, old) }
    data.content(place)?.add(tag, format, bytes, count: count)
  }
}
