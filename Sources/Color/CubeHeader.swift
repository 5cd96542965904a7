import Frames

/// The keywords of a .cube file, each with its value and its line.
struct CubeHeader {
  /// A keyword's value and its line.
  struct Entry<Value: Equatable> {
    let value: Value
    let line: Int
  }

  /// Makes an error that begins with the file's name.
  let refuse: (String) -> CamrecError

  private(set) var title: Entry<String>?
  private(set) var curveSize: Entry<Int>?
  private(set) var latticeSize: Entry<Int>?
  private var inputVideoRange: Entry<Bool>?
  private var outputVideoRange: Entry<Bool>?
  private var domainMin: Entry<SIMD3<Double>>?
  private var domainMax: Entry<SIMD3<Double>>?
  private var curveRange: Entry<SIMD2<Double>>?
  private var latticeRange: Entry<SIMD2<Double>>?

  static let curveSizes = 2...65536
  static let latticeSizes = 2...256

  init(name: String) {
    refuse = { CamrecError(.input, "\(name), \($0)") }
  }

  var inputIsVideoRange: Bool { inputVideoRange != nil }
  var outputIsVideoRange: Bool { outputVideoRange != nil }
  var curveRows: Int { curveSize?.value ?? 0 }
  var latticeRows: Int { latticeSize.map { $0.value * $0.value * $0.value } ?? 0 }

  /// Takes a keyword's line; returns a warning if the line is odd but readable.
  mutating func take(_ words: [String], rest: String, line: Int) throws(CamrecError) -> String? {
    let keyword = words[0].uppercased()
    switch keyword {
    case "TITLE":
      if let title { return "line \(line): a second TITLE, ignored; the first is in line \(title.line)" }
      title = Entry(value: Self.unquoted(rest), line: line)
      return nil
    case "LUT_1D_SIZE":
      return try set(&curveSize, size(words, Self.curveSizes, line), keyword, line)
    case "LUT_3D_SIZE":
      return try set(&latticeSize, size(words, Self.latticeSizes, line), keyword, line)
    case "DOMAIN_MIN", "DOMAIN_MAX":
      let values = try numbers(words, count: 3, line)
      let value = SIMD3(values[0], values[1], values[2])
      return keyword == "DOMAIN_MIN"
        ? try set(&domainMin, value, keyword, line) : try set(&domainMax, value, keyword, line)
    case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
      let values = try numbers(words, count: 2, line)
      guard values[0] < values[1] else {
        throw refuse("line \(line): \(keyword) from \(values[0]) to \(values[1]); the first must be below the second")
      }
      let value = SIMD2(values[0], values[1])
      return keyword == "LUT_1D_INPUT_RANGE"
        ? try set(&curveRange, value, keyword, line) : try set(&latticeRange, value, keyword, line)
    case "LUT_IN_VIDEO_RANGE", "LUT_OUT_VIDEO_RANGE":
      let again =
        keyword == "LUT_IN_VIDEO_RANGE"
        ? try set(&inputVideoRange, true, keyword, line) : try set(&outputVideoRange, true, keyword, line)
      return again
        ?? (words.count > 1 ? "line \(line): \(keyword) takes no value; the rest of the line is ignored" : nil)
    default:
      return "line \(line): unknown keyword \(CubeLine.quoted(words[0])), ignored"
    }
  }

  /// The input domains of the curves and of the lattice, with a warning for each range whose table is missing.
  func domains() throws(CamrecError) -> (curves: Domain, lattice: Domain, warnings: [String]) {
    var warnings: [String] = []
    if curveSize == nil, let range = curveRange {
      warnings.append("line \(range.line): LUT_1D_INPUT_RANGE without LUT_1D_SIZE, ignored")
    }
    if latticeSize == nil, let range = latticeRange {
      warnings.append("line \(range.line): LUT_3D_INPUT_RANGE without LUT_3D_SIZE, ignored")
    }
    let first = try adobeDomain()
    let firstRange = curveSize != nil ? curveRange : latticeRange
    if let first, let range = firstRange, first != Domain(range.value) {
      throw refuse("line \(range.line): the input range contradicts DOMAIN_MIN and DOMAIN_MAX; keep one of them")
    }
    let input = first ?? firstRange.map { Domain($0.value) } ?? Domain()
    let lattice = curveSize == nil ? input : latticeRange.map { Domain($0.value) } ?? Domain()
    return (input, lattice, warnings)
  }

  struct Domain: Equatable {
    var min = SIMD3<Double>.zero
    var max = SIMD3<Double>.one

    init() {}
    init(_ range: SIMD2<Double>) {
      min = SIMD3(repeating: range.x)
      max = SIMD3(repeating: range.y)
    }
  }

  private func adobeDomain() throws(CamrecError) -> Domain? {
    guard let line = domainMax?.line ?? domainMin?.line else { return nil }
    var domain = Domain()
    if let domainMin { domain.min = domainMin.value }
    if let domainMax { domain.max = domainMax.value }
    for channel in 0..<3 where domain.min[channel] >= domain.max[channel] {
      throw refuse(
        "line \(line): the domain goes from \(domain.min[channel]) to \(domain.max[channel]); "
          + "DOMAIN_MIN must be below DOMAIN_MAX")
    }
    return domain
  }

  /// Keeps the first value; a second one that is equal only causes a warning.
  private func set<Value>(
    _ entry: inout Entry<Value>?, _ value: Value, _ keyword: String, _ line: Int
  ) throws(CamrecError) -> String? {
    guard let first = entry else {
      entry = Entry(value: value, line: line)
      return nil
    }
    guard first.value == value else {
      throw refuse(
        "line \(line): a second \(keyword) that differs from the one in line \(first.line); keep one of them")
    }
    return "line \(line): \(keyword) repeats line \(first.line)"
  }

  private func size(_ words: [String], _ allowed: ClosedRange<Int>, _ line: Int) throws(CamrecError) -> Int {
    let found = words.dropFirst().joined(separator: " ")
    guard words.count == 2, let size = Int(words[1]), allowed.contains(size) else {
      let shown = found.isEmpty ? "nothing" : CubeLine.quoted(found)
      throw refuse(
        "line \(line): \(words[0]) has \(shown); "
          + "write one whole number from \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    return size
  }

  private func numbers(_ words: [String], count: Int, _ line: Int) throws(CamrecError) -> [Double] {
    guard words.count == count + 1 else {
      throw refuse("line \(line): \(words[0]) takes \(count) numbers, not \(words.count - 1)")
    }
    var values: [Double] = []
    for word in words.dropFirst() {
      let bytes = Array(word.utf8)
      var position = 0
      let number = DecimalNumber(bytes.span, at: &position)
      guard let value = number?.double(in: bytes.span, upTo: position), position == bytes.count,
        value.magnitude <= Double(Float.greatestFiniteMagnitude)
      else {
        throw refuse("line \(line): \(words[0]) has \(CubeLine.quoted(word)); \(CubeParser.remedy(for: word))")
      }
      values.append(value)
    }
    return values
  }

  /// Removes the blanks around the text and its quotation marks, if it starts with one.
  ///
  /// Works scalar by scalar: a combining mark forms one character with the quotation mark before it.
  private static func unquoted(_ text: String) -> String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
    var title = text.unicodeScalars.drop(while: isBlank)
    while let last = title.last, isBlank(last) { title.removeLast() }
    guard title.first == "\"" else { return String(title) }
    title.removeFirst()
    if let end = title.lastIndex(of: "\"") { title = title[..<end] }
    return String(title)
  }
}
