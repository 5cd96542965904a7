public import Frames

extension LookupTable {
  /// Reads a .cube file in the dialect of Adobe's "Cube LUT Specification 1.0" (IRIDAS) or of DaVinci Resolve (its
  /// `Developer/LUT/README.txt`), with the deviations that real tools write.
  ///
  /// - Line ends LF, CRLF or CR; a UTF-8 byte order mark; blanks and tabs anywhere; keywords in any case, in any
  ///   order, before or after the table; `#` comments anywhere; `TITLE` with or without quotation marks.
  /// - `LUT_1D_SIZE` 2…65536, `LUT_3D_SIZE` 2…256. With both, the 1D rows come first and are the shaper.
  /// - `DOMAIN_MIN`, `DOMAIN_MAX`: the input of the first stage. `LUT_1D_INPUT_RANGE`, `LUT_3D_INPUT_RANGE`: of
  ///   their own stage; without that stage they are ignored, with a warning.
  /// - `LUT_IN_VIDEO_RANGE`, `LUT_OUT_VIDEO_RANGE`: see `inputIsVideoRange`.
  /// - Samples are any finite numbers. An unknown keyword is a warning that names its line.
  ///
  /// Reads in pieces: memory is the table's own plus less than 1 MiB, whatever the file. A file larger than its header
  /// allows (1 MiB + 250 bytes a row, Adobe's longest line) is refused before it is read.
  ///
  /// - Parameter warnings: how many of the odd lines are listed; one more sentence counts the others.
  /// - Throws: code `input`, with the file, the line, what was found and what is allowed.
  public init(readingFile path: String, listing warnings: Int = 20) throws(CamrecError) {
    let file = try CubeFile(path: path)
    var reader = CubeReader(name: path, size: file.size, listing: warnings)
    while true {
      let count = try file.read(into: &reader.buffer, at: reader.held)
      guard count > 0 else { break }
      try reader.take(count)
    }
    self = try reader.finish()
  }

  /// Reads a .cube file that is already in memory.
  ///
  /// - Parameter name: the file's name for messages.
  public init(cube bytes: [UInt8], name: String) throws(CamrecError) {
    var reader = CubeReader(
      name: name, size: bytes.count, listing: 20, capacity: min(bytes.count, CubeReader.pieceSize))
    var position = 0
    while position < bytes.count {
      let count = min(bytes.count - position, reader.buffer.count - reader.held)
      reader.buffer.replaceSubrange(reader.held..<reader.held + count, with: bytes[position..<position + count])
      try reader.take(count)
      position += count
    }
    self = try reader.finish()
  }
}
