import CPhotos
public import Frames

/// A photograph that is written row by row, in RGB.
///
/// Thread: one at a time.
public struct PhotoWriter: ~Copyable {
  private let path: String
  private let facts: PhotoFacts
  private var writer: OpaquePointer?

  /// - Parameters:
  ///   - file: an empty ordinary file that is open for reading and writing; it stays open.
  ///   - path: its name, for people.
  ///   - facts: has three channels, and metadata that is not too long for the format. A JPEG has 8 bits.
  ///   - quality: of a JPEG, 1 to 100; from 90 on, each pixel keeps its own colour.
  ///   - isQuick: a PNG takes a third of the time, and may be a third larger.
  /// - Throws: code `output`; code `defect` without memory.
  public init(
    file: Int32, path: String, facts: PhotoFacts, quality: Int, isQuick: Bool = false
  ) throws(CamrecError) {
    precondition(facts.channels == 3 && (facts.bits == 8 || facts.format != .jpeg), "such a photograph")
    var fitting = facts
    let tooLong = fitting.leaveOutLongMetadata()
    precondition(tooLong.isEmpty, "too much metadata for a JPEG")
    self.path = path
    self.facts = facts
    var failure = cp_failure()
    writer = facts.profile.withUnsafeBufferPointer { profile in
      facts.exif.withUnsafeBufferPointer { exif in
        facts.xmp.withUnsafeBufferPointer { xmp in
          var own = cp_facts()
          own.format = facts.format.number
          own.width = Int32(facts.width)
          own.height = Int32(facts.height)
          own.channels = 3
          own.bits = Int32(facts.bits)
          own.is_srgb = facts.isSRGB ? 1 : 0
          own.is_quick = isQuick ? 1 : 0
          own.orientation = Int32(facts.orientation ?? 0)
          own.icc = cp_blob(bytes: profile.baseAddress, size: profile.count)
          own.exif = cp_blob(bytes: exif.baseAddress, size: exif.count)
          own.xmp = cp_blob(bytes: xmp.baseAddress, size: xmp.count)
          return cp_create(file, &own, Int32(quality), &failure)
        }
      }
    }
    guard writer != nil else { throw failure.writeError(path) }
  }

  deinit { if let writer { cp_abandon(writer) } }

  /// Writes the next rows, from the beginning of `strip`, without gaps and in the machine's byte order.
  ///
  /// - Throws: code `output`.
  public mutating func write(rows count: Int, from strip: [UInt8]) throws(CamrecError) {
    precondition(strip.count >= count * facts.rowBytes, "rows that are not there")
    var failure = cp_failure()
    let isWritten = strip.withUnsafeBytes { cp_write(writer, Int32(count), $0.baseAddress, &failure) }
    guard isWritten != 0 else { throw failure.writeError(path) }
  }

  /// Writes the end. To be called once, behind the last row.
  ///
  /// - Throws: code `output`.
  public mutating func finish() throws(CamrecError) {
    guard let writer = writer.take() else { return }
    var failure = cp_failure()
    guard cp_finish(writer, &failure) != 0 else { throw failure.writeError(path) }
  }
}
