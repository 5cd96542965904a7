import Frames

/// Reads the lines of a .cube file: keywords into the header, rows into the table.
struct CubeParser {
  private let name: String
  private let fileSize: Int
  private var header: CubeHeader
  private var warnings: [String] = []
  private let listedWarnings: Int
  /// The number of odd lines beyond those that are listed.
  private var furtherWarnings = 0

  /// The number of the current line, from 1.
  private var line = 0
  private var curveSamples: [Float] = []
  private var latticeSamples: [Float] = []
  private var rows = 0
  private var curveRows = 0
  private var latticeRows = 0
  /// The line of the first row beyond the number that the sizes ask for.
  private var firstRowTooMany: Int?

  /// The bytes that comments and keywords may take.
  private static let headerAllowance = 1 << 20
  /// The longest line in Adobe's specification, section 5.3.
  private static let longestRow = 250
  /// A file with more odd lines is no .cube file; reading on would take too long.
  private static let oddLines = 1000

  init(name: String, fileSize: Int, listing warnings: Int) {
    listedWarnings = warnings
    self.name = name
    self.fileSize = fileSize
    header = CubeHeader(name: name)
  }

  /// Refuses a file that is larger than its header allows, before the whole file is read.
  func checkSize(taken: Int) throws(CamrecError) {
    let allowed = Self.headerAllowance + (curveRows + latticeRows) * Self.longestRow
    guard taken > allowed || latticeRows > 0 && fileSize > allowed else { return }
    guard curveRows + latticeRows > 0 else {
      throw CamrecError(
        .input, "\(name) has no LUT_1D_SIZE or LUT_3D_SIZE in its first MiB; is it a .cube file?")
    }
    throw CamrecError(
      .input, "\(name) is \(fileSize) bytes long; a table of \(sizes) takes at most \(allowed) bytes")
  }

  /// The error for a line that does not end.
  func tooLong(isBinary: Bool) -> CamrecError {
    isBinary ? binary(line + 1) : header.refuse("line \(line + 1): longer than 64 KiB; is it a .cube file?")
  }

  /// Takes the next line, without its line end.
  mutating func read(_ bytes: Span<UInt8>) throws(CamrecError) {
    line += 1
    var start = 0
    while start < bytes.count, CubeLine.isBlank(bytes[start]) { start += 1 }
    guard start < bytes.count, bytes[start] != UInt8(ascii: "#") else { return }
    if Self.startsNumber(bytes[start]) {
      try readRow(bytes, from: start)
    } else {
      try readWords(CubeLine(bytes), bytes)
    }
  }

  consuming func finish(sha256: String) throws(CamrecError) -> LookupTable {
    guard line > 0 else { throw CamrecError(.input, "\(name) is empty; a .cube file has LUT_3D_SIZE or LUT_1D_SIZE") }
    guard curveRows + latticeRows > 0 else {
      throw CamrecError(.input, "\(name) has no line with LUT_1D_SIZE or LUT_3D_SIZE; is it a .cube file?")
    }
    guard rows == curveRows + latticeRows else {
      let place = firstRowTooMany.map { "the first one too many is line \($0)" } ?? "the last line is \(line)"
      throw CamrecError(
        .input, "\(name) has \(rowsOfNumbers); \(sizes) asks for \(curveRows + latticeRows); \(place)")
    }
    let (curveDomain, latticeDomain, ignored) = try header.domains()
    var sentences = (warnings + ignored).map { "\(name), \($0)" }
    if furtherWarnings > 0 {
      sentences.append("\(name): \(furtherWarnings) more odd line\(furtherWarnings == 1 ? "" : "s")")
    }
    return LookupTable(
      title: header.title.flatMap { $0.value.isEmpty ? nil : $0.value },
      curves: header.curveSize.map {
        LookupTable.Curves(
          size: $0.value, samples: curveSamples, domainMin: curveDomain.min, domainMax: curveDomain.max)
      },
      lattice: header.latticeSize.map {
        LookupTable.Lattice(
          size: $0.value, samples: latticeSamples, domainMin: latticeDomain.min, domainMax: latticeDomain.max)
      },
      inputIsVideoRange: header.inputIsVideoRange, outputIsVideoRange: header.outputIsVideoRange, sha256: sha256,
      warnings: sentences)
  }

  /// What to write instead of a word that is not a number.
  static func remedy(for word: String) -> String {
    let parts = word.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count == 2, !word.contains("."), parts.allSatisfy({ $0.last?.isNumber == true }) {
      return "that looks like a decimal comma; .cube files use decimal points"
    }
    if word.contains(",") { return "separate numbers with blanks, not commas" }
    return "write finite decimal numbers such as 0.25, -1 or 1e-5"
  }
}

// MARK: - Rows

extension CubeParser {
  private static func startsNumber(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "+")
  }

  private mutating func readRow(_ bytes: Span<UInt8>, from start: Int) throws(CamrecError) {
    guard rows < curveRows + latticeRows else {
      guard curveRows + latticeRows > 0 else {
        throw header.refuse("line \(line): a row of numbers before any LUT_1D_SIZE or LUT_3D_SIZE")
      }
      if firstRowTooMany == nil { firstRowTooMany = line }
      rows += 1
      return
    }
    var position = start
    let red = sample(bytes, &position)
    let green = sample(bytes, &position)
    let blue = sample(bytes, &position)
    let isEnd = position == bytes.count || bytes[position] == UInt8(ascii: "#")
    guard isEnd, red.isFinite, green.isFinite, blue.isFinite else { throw refusal(of: CubeLine(bytes)) }
    if rows < curveRows {
      curveSamples.append(red)
      curveSamples.append(green)
      curveSamples.append(blue)
    } else {
      latticeSamples.append(red)
      latticeSamples.append(green)
      latticeSamples.append(blue)
    }
    rows += 1
  }

  /// Reads the next number of a row and the blanks after it; returns a value that is not finite if there is no number.
  @inline(__always)
  private func sample(_ bytes: Span<UInt8>, _ position: inout Int) -> Float {
    guard let number = DecimalNumber(bytes, at: &position) else { return .nan }
    let value = number.float(in: bytes, upTo: position)
    let end = position
    while position < bytes.count, CubeLine.isBlank(bytes[position]) { position += 1 }
    let isSeparated = position > end || position == bytes.count || bytes[position] == UInt8(ascii: "#")
    return isSeparated ? value : .nan
  }

  /// The error for a line that starts like a row but is not one.
  private func refusal(of row: CubeLine) -> CamrecError {
    for word in row.words {
      let bytes = Array(word.utf8)
      var position = 0
      let value = DecimalNumber(bytes.span, at: &position)?.float(in: bytes.span, upTo: position) ?? .nan
      if position != bytes.count || !value.isFinite {
        return header.refuse("line \(line): \(CubeLine.quoted(word)); \(Self.remedy(for: word))")
      }
    }
    let count = row.words.count == 1 ? "1 number" : "\(row.words.count) numbers"
    return header.refuse("line \(line): \(count) in a row; a row has three (red, green, blue)")
  }

  /// Those that were read.
  private var rowsOfNumbers: String { rows == 1 ? "1 row of numbers" : "\(rows) rows of numbers" }

  /// `LUT_3D_SIZE 33`, `LUT_1D_SIZE 1024 with LUT_3D_SIZE 33`.
  private var sizes: String {
    let curves = header.curveSize.map { "LUT_1D_SIZE \($0.value)" }
    let lattice = header.latticeSize.map { "LUT_3D_SIZE \($0.value)" }
    return [curves, lattice].compactMap(\.self).joined(separator: " with ")
  }
}

// MARK: - Keywords

extension CubeParser {
  private mutating func readWords(_ words: CubeLine, _ bytes: Span<UInt8>) throws(CamrecError) {
    let first = words.words[0]
    if line == 1, bytes.count > 1, bytes[0] == 0xFF && bytes[1] == 0xFE || bytes[0] == 0xFE && bytes[1] == 0xFF {
      throw CamrecError(.input, "\(name) is UTF-16 text; save it as UTF-8 or ASCII")
    }
    for index in bytes.indices where bytes[index] < 0x20 && !CubeLine.isBlank(bytes[index]) { throw binary(line) }
    guard !["nan", "inf", "infinity"].contains(first.lowercased()) else { throw refusal(of: words) }
    let isKeyword = first.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || "0"..."9" ~= $0)
    }
    guard isKeyword else {
      throw header.refuse(
        "line \(line): \(CubeLine.quoted(first)) is neither a keyword nor a row of three numbers; is it a .cube file?")
    }
    let hadCurves = curveRows
    let hadLattice = latticeRows
    let warning = try header.take(words.words, rest: words.rest, line: line)
    if let warning {
      if warnings.count < listedWarnings { warnings.append(warning) } else { furtherWarnings += 1 }
      guard warnings.count + furtherWarnings <= Self.oddLines else {
        throw header.refuse("line \(line): more than \(Self.oddLines) odd lines; is it a .cube file?")
      }
    }
    curveRows = header.curveRows
    latticeRows = header.latticeRows
    if hadCurves != curveRows || hadLattice != latticeRows { try makeRoom(hadCurves: hadCurves) }
  }

  /// Reserves room for the rows that the sizes ask for and the file can hold. A size after rows is right only after a
  /// complete shaper.
  private mutating func makeRoom(hadCurves: Int) throws(CamrecError) {
    guard rows == 0 || hadCurves == curveRows && rows == curveRows else {
      throw header.refuse("line \(line): a size after \(rowsOfNumbers); put sizes before their rows")
    }
    let shortestRow = 6
    curveSamples.reserveCapacity(3 * min(curveRows, fileSize / shortestRow + 1))
    latticeSamples.reserveCapacity(3 * min(latticeRows, fileSize / shortestRow + 1))
  }

  private func binary(_ line: Int) -> CamrecError {
    header.refuse("line \(line): binary data; a .cube file is text")
  }
}
