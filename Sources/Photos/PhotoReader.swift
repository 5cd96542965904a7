import CPhotos
public import Frames

/// A photograph that is read row by row. Only interlaced PNGs and progressive JPEGs, up to 1 GiB, are in memory as a
/// whole, and of TIFFs in tiles a row of tiles.
///
/// Thread: one at a time.
public struct PhotoReader: ~Copyable {
  public let path: String
  public let facts: PhotoFacts
  private let reader: OpaquePointer
  private var next = 0

  /// - Throws: code `input` for a file that is not a picture with 8 or 16 bits in grey or RGB, or is damaged, or needs
  ///   more memory than there is.
  public init(path: String) throws(CamrecError) {
    var found = cp_facts(), failure = cp_failure()
    guard let reader = cp_open(path, &found, &failure) else { throw failure.readError(path) }
    self.path = path
    self.reader = reader
    var facts = PhotoFacts(
      format: PhotoFormat(found.format), width: Int(found.width), height: Int(found.height),
      channels: Int(found.channels), bits: Int(found.bits))
    facts.isSRGB = found.is_srgb != 0
    facts.orientation = found.orientation > 0 ? Int(found.orientation) : nil
    facts.profile = PhotoReader.bytes(found.icc)
    facts.exif = PhotoReader.bytes(found.exif)
    facts.xmp = PhotoReader.bytes(found.xmp)
    facts.hasMoreXMP = found.has_more_xmp != 0
    self.facts = facts
  }

  deinit { cp_close(reader) }

  /// Bytes of a JPEG's pixels that belong to none of them, in the rows read so far. Damage leaves them, and so do some
  /// cameras.
  public var strayBytes: Int { Int(cp_stray_bytes(reader)) }

  private static func bytes(_ blob: cp_blob) -> [UInt8] {
    Array(UnsafeBufferPointer(start: blob.bytes, count: blob.size))
  }

  /// Reads the next rows to the beginning of `strip`, without gaps, and codes of 16 bits in the machine's byte order.
  ///
  /// - Throws: code `input` if the picture is damaged there.
  public mutating func read(rows count: Int, into strip: inout [UInt8]) throws(CamrecError) {
    precondition(next + count <= facts.height && strip.count >= count * facts.rowBytes, "rows that are not there")
    next += count
    var failure = cp_failure()
    let isRead = strip.withUnsafeMutableBytes { cp_read(reader, Int32(count), $0.baseAddress, &failure) }
    guard isRead != 0 else { throw failure.readError(path) }
  }
}
