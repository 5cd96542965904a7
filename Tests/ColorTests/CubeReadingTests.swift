import Color
import Digest
import Frames
import Testing

/// What is read, and as what. Every file here is an identity of five unless its test says otherwise.
@Suite struct CubeReadingTests {
  private let probe: SIMD3<Double> = [0.7529, 0.5020, 0.2510]

  private func isNear(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
    let difference = a - b
    return difference.max() < 1e-6 && difference.min() > -1e-6
  }

  private func expectIdentity(
    _ bytes: [UInt8], title: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let table = try CubeText.read(bytes)
    for interpolation in Interpolation.allCases {
      #expect(isNear(table.evaluate(probe, interpolation: interpolation), probe), sourceLocation: sourceLocation)
    }
    #expect(table.warnings == [], sourceLocation: sourceLocation)
    #expect(table.title == title, sourceLocation: sourceLocation)
    #expect(table.lattice?.size == 5 && table.curves == nil, sourceLocation: sourceLocation)
  }

  @Test func `plain files`() throws {
    try expectIdentity(
      CubeText.cube(["TITLE \"t\"", "LUT_3D_SIZE 5", "DOMAIN_MIN 0 0 0", "DOMAIN_MAX 1 1 1"]), title: "t")
    try expectIdentity(CubeText.cube())
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `line ends of every system`(end: String) throws {
    try expectIdentity(CubeText.cube(["TITLE \"t\"", "LUT_3D_SIZE 5"], end: end), title: "t")
    try expectIdentity(CubeText.cube(["# a", "", "LUT_3D_SIZE 5", ""], end: end))
  }

  @Test func `no line end after the last row`() throws {
    try expectIdentity(CubeText.cube().dropLast())
  }

  @Test func `a byte order mark before the size or the title`() throws {
    try expectIdentity([0xEF, 0xBB, 0xBF] + CubeText.cube())
    try expectIdentity([0xEF, 0xBB, 0xBF] + CubeText.cube(["TITLE \"t\"", "LUT_3D_SIZE 5"]), title: "t")
  }

  @Test func `tabs, leading blanks, blanks behind, lower case`() throws {
    try expectIdentity(CubeText.cube(["LUT_3D_SIZE\t5"], rows: CubeText.rows(separator: "\t")))
    try expectIdentity(CubeText.cube(["  LUT_3D_SIZE 5"], rows: CubeText.rows().map { "  \($0) \t" }))
    try expectIdentity(CubeText.cube(["lut_3d_size 5", "domain_min 0 0 0"]))
  }

  @Test func `comments before, inside, behind and beside the rows`() throws {
    var rows = CubeText.rows()
    rows[3] += " # beside"
    rows[4] += "#close beside"
    rows.insert("# inside 1 2 3", at: 7)
    rows.insert("", at: 9)
    try expectIdentity(CubeText.cube(["# before", "LUT_3D_SIZE 5 # size"], rows: rows + ["# behind"]))
  }

  @Test func `numbers as tools print them`() throws {
    var rows = CubeText.rows()
    rows[0] = "1e-7 -1E-7 +0"
    rows[1] = ".25 0. 0"
    rows[124] = "1 1.0000000000 10e-1"
    try expectIdentity(CubeText.cube(rows: rows))
  }

  @Test(arguments: [
    ("TITLE \"t\"", "t"), ("TITLE t", "t"), ("TITLE S-Log3 to LC-709 #1", "S-Log3 to LC-709 #1"),
    ("title   \"two words\"  ", "two words"), ("TITLE \"\u{7A6} a\u{301}\"", "\u{7A6} a\u{301}"),
    ("TITLE \u{7A6} \"b\"\u{301}", "\u{7A6} \"b\"\u{301}"), ("TITLE \"a \"quoted\" b\"", "a \"quoted\" b"),
    ("TITLE \"open", "open"), ("TITLE \"Grün\"", "Grün"), ("TITLE \"\"", nil), ("TITLE", nil),
  ])
  func `titles with and without quotation marks`(line: String, title: String?) throws {
    try expectIdentity(CubeText.cube([line, "LUT_3D_SIZE 5"]), title: title)
  }

  @Test func `a title of 600 letters, and one that is not UTF-8`() throws {
    let long = String(repeating: "x", count: 600)
    try expectIdentity(CubeText.cube(["TITLE \"\(long)\"", "LUT_3D_SIZE 5"]), title: long)
    try expectIdentity(Array("TITLE \"Gr".utf8) + [0xFC] + Array("n\"\n".utf8) + CubeText.cube(), title: "Gr\u{FFFD}n")
  }

  @Test(arguments: [["LUT_3D_SIZE 5", "LUT_3D_INPUT_RANGE 0.0 1.0"], ["LUT_3D_INPUT_RANGE 0 2", "LUT_3D_SIZE 5"]])
  func `Resolve's range before and after the size`(header: [String]) throws {
    let table = try CubeText.read(CubeText.cube(header))
    let width = header[0].hasSuffix("2") ? 2.0 : 1
    #expect(isNear(table.evaluate(probe, interpolation: .tetrahedral), probe / width))
  }

  @Test(arguments: [0, 1])
  func `Adobe's domain before and after the size`(place: Int) throws {
    var header = ["DOMAIN_MIN 0 0 0", "DOMAIN_MAX 2 2 4"]
    header.insert("LUT_3D_SIZE 5", at: place * 2)
    let table = try CubeText.read(CubeText.cube(header))
    #expect(isNear(table.evaluate(probe, interpolation: .trilinear), probe / [2, 2, 4]))
    #expect(table.warnings == [])
  }

  @Test func `a domain with an offset and one below 1`() throws {
    let offset = try CubeText.read(CubeText.cube(["LUT_3D_SIZE 5", "DOMAIN_MIN 0.5 0.5 0.5", "DOMAIN_MAX 1.5 1.5 1.5"]))
    #expect(isNear(offset.evaluate(probe, interpolation: .tetrahedral), [0.2529, 0.002, 0]))
    let half = try CubeText.read(CubeText.cube(["LUT_3D_SIZE 5", "DOMAIN_MAX 0.5 0.5 0.5"]))
    #expect(isNear(half.evaluate(probe, interpolation: .tetrahedral), [1, 1, 0.502]))
  }

  @Test func `a domain behind the rows counts too`() throws {
    let table = try CubeText.read(CubeText.cube(rows: CubeText.rows() + ["DOMAIN_MAX 2 2 2"]))
    #expect(isNear(table.evaluate(probe, interpolation: .tetrahedral), probe / 2))
  }

  @Test(arguments: [
    ["LUT_1D_SIZE 2", "LUT_3D_SIZE 5"], ["LUT_3D_SIZE 5", "LUT_1D_SIZE 2"],
    ["LUT_1D_SIZE 2", "LUT_1D_INPUT_RANGE 0 1", "LUT_3D_SIZE 5", "LUT_3D_INPUT_RANGE 0 1"],
  ])
  func `a shaper is applied, then the cube`(header: [String]) throws {
    let table = try CubeText.read(CubeText.cube(header, rows: ["1 1 1", "0 0 0"] + CubeText.rows()))
    #expect(table.curves?.size == 2 && table.lattice?.size == 5)
    #expect(isNear(table.evaluate(probe, interpolation: .tetrahedral), .one - probe))
    #expect(table.warnings == [])
  }

  @Test func `a shaper's block before the cube's block`() throws {
    let table = try CubeText.read(["LUT_1D_SIZE 2", "1 1 1", "0 0 0", "LUT_3D_SIZE 5"] + CubeText.rows())
    #expect(isNear(table.evaluate(probe, interpolation: .tetrahedral), .one - probe))
  }

  @Test func `each stage has the range of its own`() throws {
    let header = ["LUT_1D_SIZE 2", "LUT_1D_INPUT_RANGE -1 1", "LUT_3D_SIZE 5", "LUT_3D_INPUT_RANGE 0 4"]
    let table = try CubeText.read(CubeText.cube(header, rows: ["0 0 0", "4 4 4"] + CubeText.rows()))
    #expect(isNear(table.evaluate(probe, interpolation: .tetrahedral), (probe + .one) / 2))
  }

  @Test func `Adobe's domain is the shaper's input`() throws {
    let header = ["LUT_1D_SIZE 2", "LUT_3D_SIZE 5", "DOMAIN_MAX 2 2 2"]
    let table = try CubeText.read(CubeText.cube(header, rows: ["0 0 0", "1 1 1"] + CubeText.rows()))
    #expect(isNear(table.evaluate(probe, interpolation: .tetrahedral), probe / 2))
    #expect(table.lattice?.domainMax == .one)
  }

  @Test func `curves alone`() throws {
    let table = try CubeText.read(["LUT_1D_SIZE 2", "0 0 0", "1 1 1"])
    #expect(table.lattice == nil && table.curves?.size == 2)
    #expect(isNear(table.evaluate(probe, interpolation: .tetrahedral), probe))
  }

  @Test func `video range, in and out, each by itself`() throws {
    let both = try CubeText.read(CubeText.cube(["LUT_3D_SIZE 5", "LUT_IN_VIDEO_RANGE", "LUT_OUT_VIDEO_RANGE"]))
    #expect(both.inputIsVideoRange && both.outputIsVideoRange && both.warnings == [])
    #expect(isNear(both.evaluate(probe, interpolation: .tetrahedral), probe))
    let input = try CubeText.read(CubeText.cube(["lut_in_video_range", "LUT_3D_SIZE 5"]))
    #expect(input.inputIsVideoRange && !input.outputIsVideoRange)
    let output = try CubeText.read(CubeText.cube(rows: CubeText.rows() + ["LUT_OUT_VIDEO_RANGE"]))
    #expect(!output.inputIsVideoRange && output.outputIsVideoRange)
  }

  @Test func `samples below 0 and above 1 are kept`() throws {
    let table = try CubeText.read(["LUT_1D_SIZE 2", "-0.25 0 1.595", "1.6 2 -3e1"])
    #expect(table.curves?.samples == [-0.25, 0, 1.595, 1.6, 2, -30])
  }

  @Test(arguments: [
    (["LUT_3D_SIZE 5", "LUT_WHAT 3"], ["x.cube, line 2: unknown keyword “LUT_WHAT”, ignored"]),
    (["LUT_3D_SIZE 5", "LUT_1D_INPUT_RANGE 0 1.095"],
      ["x.cube, line 2: LUT_1D_INPUT_RANGE without LUT_1D_SIZE, ignored"]),
    (["TITLE a", "TITLE b", "LUT_3D_SIZE 5"], ["x.cube, line 2: a second TITLE, ignored; the first is in line 1"]),
    (["LUT_3D_SIZE 5", "LUT_3D_SIZE 5"], ["x.cube, line 2: LUT_3D_SIZE repeats line 1"]),
    (["LUT_3D_SIZE 5", "LUT_IN_VIDEO_RANGE 1", "LUT_OUT_VIDEO_RANGE"],
      ["x.cube, line 2: LUT_IN_VIDEO_RANGE takes no value; the rest of the line is ignored"]),
    (["LUT_3D_SIZE 5", "LUT_OUT_VIDEO_RANGE", "LUT_IN_VIDEO_RANGE", "LUT_OUT_VIDEO_RANGE"],
      ["x.cube, line 4: LUT_OUT_VIDEO_RANGE repeats line 2"]),
    (["DOMAIN_MIN 0 0 0", "LUT_3D_SIZE 5", "DOMAIN_MIN 0 0 0"],
      ["x.cube, line 3: DOMAIN_MIN repeats line 1"]),
  ])
  func `odd but readable: a warning that names the line`(header: [String], warnings: [String]) throws {
    let table = try CubeText.read(CubeText.cube(header))
    #expect(table.warnings == warnings)
    #expect(isNear(table.evaluate(probe, interpolation: .tetrahedral), probe))
  }

  @Test func `a cube's range in a file of curves is ignored with a warning`() throws {
    let table = try CubeText.read(["LUT_1D_SIZE 2", "LUT_3D_INPUT_RANGE 0 2", "0 0 0", "1 1 1"])
    #expect(table.warnings == ["x.cube, line 2: LUT_3D_INPUT_RANGE without LUT_3D_SIZE, ignored"])
    #expect(table.curves?.domainMax == .one)
  }

  @Test func `many odd lines are counted, not listed`() throws {
    let table = try CubeText.read(CubeText.cube(["LUT_3D_SIZE 5"] + (0..<30).map { "WHAT\($0)" }))
    #expect(table.warnings.count == 21)
    #expect(table.warnings.last == "x.cube: 10 more odd lines")
    let next = try CubeText.read(CubeText.cube(["LUT_3D_SIZE 5"] + (0..<21).map { "WHAT\($0)" }))
    #expect(next.warnings.last == "x.cube: 1 more odd line")
  }

  @Test func `the smallest and the largest sizes`() throws {
    #expect(try CubeText.read(CubeText.cube(["LUT_3D_SIZE 2"], rows: CubeText.rows(2))).lattice?.size == 2)
    let rows = [String](repeating: "0 0 0", count: 65536)
    #expect(try CubeText.read(CubeText.cube(["LUT_1D_SIZE 65536"], rows: rows)).curves?.size == 65536)
    var largest = Array("LUT_3D_SIZE 256\n".utf8)
    let row = Array("0 .5 1\n".utf8)
    largest.reserveCapacity(largest.count + row.count << 24)
    for _ in 0..<1 << 24 { largest.append(contentsOf: row) }
    let table = try CubeText.read(largest)
    #expect(table.lattice?.size == 256 && table.lattice?.samples.count == 3 << 24)
    #expect(table.lattice?.sample(255, 255, 255) == [0, 0.5, 1])
  }

  @Test func `the hash is that of the file's bytes`() throws {
    let bytes = CubeText.cube()
    #expect(try CubeText.read(bytes).sha256 == SHA256.hash(bytes))
  }
}
