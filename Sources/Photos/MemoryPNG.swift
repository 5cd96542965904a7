public import Frames
public import Platform

/// A PNG that is written row by row into memory.
///
/// Thread: one at a time.
public struct MemoryPNG: ~Copyable {
  private let file: MemoryFile
  private var writer: PhotoWriter

  /// - Parameters:
  ///   - bits: of each channel, 8 or 16.
  ///   - profile: an ICC profile; empty for sRGB, which the PNG then says without one.
  ///   - exif: from its TIFF header on; empty for none.
  /// - Throws: code `output` if there is no memory for it.
  public init(
    width: Int, height: Int, bits: Int, profile: [UInt8] = [], exif: [UInt8] = []
  ) throws(CamrecError) {
    let file = try Self.memory()
    var facts = PhotoFacts(format: .png, width: width, height: height, bits: bits)
    facts.isSRGB = profile.isEmpty
    facts.profile = profile
    facts.exif = exif
    let writer = try PhotoWriter(
      file: file.descriptor, path: "PNG in memory", facts: facts, quality: 100, isQuick: true)
    self.file = file
    self.writer = writer
  }

  private static func memory() throws(CamrecError) -> MemoryFile {
    do throws(SystemCallError) {
      return try MemoryFile()
    } catch {
      throw CamrecError(.output, "there is no memory for a PNG", cause: error.words)
    }
  }

  /// Writes the next rows, from the beginning of `strip`: red, green and blue of each pixel, without gaps, 16 bits in
  /// the machine's byte order.
  ///
  /// - Throws: code `output`.
  public mutating func write(rows count: Int, from strip: [UInt8]) throws(CamrecError) {
    try writer.write(rows: count, from: strip)
  }

  /// The whole PNG, once all rows are written.
  ///
  /// - Throws: code `output`.
  public consuming func finish() throws(CamrecError) -> MemoryFile {
    try writer.finish()
    return file
  }
}
