import Color
import Testing

/// What is refused, and with which sentence.
@Suite struct CubeRefusalTests {
  private func refusal(header: [String] = ["LUT_3D_SIZE 5"], rows: [String] = CubeText.rows()) -> String? {
    CubeText.refusal(CubeText.cube(header, rows: rows))
  }

  private func refusal(row: String) -> String? {
    var rows = CubeText.rows()
    rows[2] = row
    return refusal(rows: rows)
  }

  @Test(arguments: [
    ("0 0 0 1.0", "4 numbers in a row; a row has three (red, green, blue)"),
    ("0 0", "2 numbers in a row; a row has three (red, green, blue)"),
    ("0", "1 number in a row; a row has three (red, green, blue)"),
    ("0,5 0,0 0,0", "“0,5”; that looks like a decimal comma; .cube files use decimal points"),
    ("0 0,5 0", "“0,5”; that looks like a decimal comma; .cube files use decimal points"),
    ("0.5, 0.0, 0.0", "“0.5,”; separate numbers with blanks, not commas"),
    ("1,2,3", "“1,2,3”; separate numbers with blanks, not commas"),
    ("nan nan nan", "“nan”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0 NaN 0", "“NaN”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("-nan 0 0", "“-nan”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0 0 inf", "“inf”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("-Infinity 0 0", "“-Infinity”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0 1e39 0", "“1e39”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0 1e999999999999 0", "“1e999999999999”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0x10 0 0", "“0x10”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0 1e 0", "“1e”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0 1.2.3 0", "“1.2.3”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0 - 0", "“-”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("0 red 0", "“red”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    ("<html>", "“<html>” is neither a keyword nor a row of three numbers; is it a .cube file?"),
  ])
  func `a row that is none`(row: String, sentence: String) {
    #expect(refusal(row: row) == "x.cube, line 4: \(sentence)")
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines are counted alike with every line end`(end: String) {
    var rows = CubeText.rows()
    rows[1] = ""
    rows[2] = "0 0"
    #expect(
      CubeText.refusal(CubeText.cube(rows: rows, end: end))
        == "x.cube, line 4: 2 numbers in a row; a row has three (red, green, blue)")
  }

  @Test(arguments: [
    (["LUT_3D_SIZE 1"], "line 1: LUT_3D_SIZE has “1”; write one whole number from 2 to 256"),
    (["LUT_3D_SIZE 257"], "line 1: LUT_3D_SIZE has “257”; write one whole number from 2 to 256"),
    (["LUT_3D_SIZE"], "line 1: LUT_3D_SIZE has nothing; write one whole number from 2 to 256"),
    (["LUT_3D_SIZE 5 5 5"], "line 1: LUT_3D_SIZE has “5 5 5”; write one whole number from 2 to 256"),
    (["LUT_3D_SIZE 5.0"], "line 1: LUT_3D_SIZE has “5.0”; write one whole number from 2 to 256"),
    (["LUT_3D_SIZE 99999999999999999999"],
      "line 1: LUT_3D_SIZE has “99999999999999999999”; write one whole number from 2 to 256"),
    (["LUT_1D_SIZE 65537"], "line 1: LUT_1D_SIZE has “65537”; write one whole number from 2 to 65536"),
    (["LUT_1D_SIZE -2"], "line 1: LUT_1D_SIZE has “-2”; write one whole number from 2 to 65536"),
    (["LUT_3D_SIZE 5", "LUT_3D_SIZE 6"],
      "line 2: a second LUT_3D_SIZE that differs from the one in line 1; keep one of them"),
    (["DOMAIN_MIN 0 0", "LUT_3D_SIZE 5"], "line 1: DOMAIN_MIN takes 3 numbers, not 2"),
    (["DOMAIN_MAX 1 x 1", "LUT_3D_SIZE 5"],
      "line 1: DOMAIN_MAX has “x”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    (["DOMAIN_MAX 1 1,5 1", "LUT_3D_SIZE 5"],
      "line 1: DOMAIN_MAX has “1,5”; that looks like a decimal comma; .cube files use decimal points"),
    (["DOMAIN_MAX 1 nan 1", "LUT_3D_SIZE 5"],
      "line 1: DOMAIN_MAX has “nan”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    (["DOMAIN_MAX 1 1e39 1", "LUT_3D_SIZE 5"],
      "line 1: DOMAIN_MAX has “1e39”; write finite decimal numbers such as 0.25, -1 or 1e-5"),
    (["DOMAIN_MIN 0 1 0", "LUT_3D_SIZE 5"],
      "line 1: the domain goes from 1.0 to 1.0; DOMAIN_MIN must be below DOMAIN_MAX"),
    (["LUT_3D_INPUT_RANGE 1 0", "LUT_3D_SIZE 5"],
      "line 1: LUT_3D_INPUT_RANGE from 1.0 to 0.0; the first must be below the second"),
    (["LUT_3D_INPUT_RANGE 1", "LUT_3D_SIZE 5"], "line 1: LUT_3D_INPUT_RANGE takes 2 numbers, not 1"),
    (["LUT_3D_SIZE 5", "DOMAIN_MAX 1 1 1", "LUT_3D_INPUT_RANGE 0 2"],
      "line 3: the input range contradicts DOMAIN_MIN and DOMAIN_MAX; keep one of them"),
  ])
  func `a keyword that cannot be taken`(header: [String], sentence: String) {
    #expect(refusal(header: header) == "x.cube, \(sentence)")
  }

  @Test func `rows too few and too many`() {
    #expect(
      refusal(rows: CubeText.rows().dropLast())
        == "x.cube has 124 rows of numbers; LUT_3D_SIZE 5 asks for 125; the last line is 125")
    #expect(
      refusal(rows: CubeText.rows() + ["0 0 0", "1 1 1"])
        == "x.cube has 127 rows of numbers; LUT_3D_SIZE 5 asks for 125; the first one too many is line 127")
    #expect(
      refusal(rows: ["0 0 0"]) == "x.cube has 1 row of numbers; LUT_3D_SIZE 5 asks for 125; the last line is 2")
    #expect(refusal(rows: []) == "x.cube has 0 rows of numbers; LUT_3D_SIZE 5 asks for 125; the last line is 1")
    #expect(
      refusal(header: ["LUT_1D_SIZE 3", "LUT_3D_SIZE 5"])
        == "x.cube has 125 rows of numbers; LUT_1D_SIZE 3 with LUT_3D_SIZE 5 asks for 128; the last line is 127")
  }

  @Test func `rows before their size`() {
    #expect(
      CubeText.refusal(["0 0 0", "LUT_1D_SIZE 2"])
        == "x.cube, line 1: a row of numbers before any LUT_1D_SIZE or LUT_3D_SIZE")
    #expect(
      refusal(rows: CubeText.rows() + ["LUT_1D_SIZE 2", "0 0 0", "1 1 1"])
        == "x.cube, line 127: a size after 125 rows of numbers; put sizes before their rows")
    #expect(
      refusal(rows: ["0 0 0", "LUT_1D_SIZE 2"])
        == "x.cube, line 3: a size after 1 row of numbers; put sizes before their rows")
  }

  @Test func `nothing, and nothing that counts`() {
    #expect(CubeText.refusal([UInt8]()) == "x.cube is empty; a .cube file has LUT_3D_SIZE or LUT_1D_SIZE")
    #expect(
      CubeText.refusal(["# only", "# comments"])
        == "x.cube has no line with LUT_1D_SIZE or LUT_3D_SIZE; is it a .cube file?")
    #expect(
      CubeText.refusal(["Dear reader", "", "this is a letter"])
        == "x.cube has no line with LUT_1D_SIZE or LUT_3D_SIZE; is it a .cube file?")
  }

  @Test func `what is not text`() {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    #expect(CubeText.refusal(png)?.hasSuffix("; is it a .cube file?") == true)
    #expect(CubeText.refusal([0x50, 0x4B, 3, 4, 20, 0, 0]) == "x.cube, line 1: binary data; a .cube file is text")
    let zeros = [UInt8](repeating: 0, count: 400_000)
    #expect(CubeText.refusal(zeros) == "x.cube, line 1: binary data; a .cube file is text")
    #expect(CubeText.refusal(CubeText.cube() + zeros) == "x.cube, line 127: binary data; a .cube file is text")
    let wide: [UInt8] = [0xFF, 0xFE] + "LUT_3D_SIZE 5\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(CubeText.refusal(wide) == "x.cube is UTF-16 text; save it as UTF-8 or ASCII")
  }

  @Test func `a line without end`() {
    let line = [UInt8](repeating: UInt8(ascii: "7"), count: 400_000)
    #expect(CubeText.refusal(line) == "x.cube, line 1: longer than 64 KiB; is it a .cube file?")
  }

  @Test func `control characters do not reach the terminal`() {
    #expect(
      refusal(row: "0 \u{1B}[31m 0")
        == "x.cube, line 4: “\u{FFFD}[31m”; write finite decimal numbers such as 0.25, -1 or 1e-5")
  }

  @Test func `more odd lines than any .cube file has`() {
    let odd = (0...1000).map { "WHAT\($0)" }
    #expect(CubeText.refusal(CubeText.cube(odd.dropLast() + ["LUT_3D_SIZE 5"])) == nil)
    #expect(
      CubeText.refusal(CubeText.cube(odd + ["LUT_3D_SIZE 5"]))
        == "x.cube, line 1001: more than 1000 odd lines; is it a .cube file?")
  }

  @Test func `more bytes than the header allows`() {
    let comment = [UInt8](repeating: UInt8(ascii: "#"), count: 999) + [0x0A]
    let comments = (0..<2000).flatMap { _ in comment }
    #expect(
      CubeText.refusal(CubeText.cube() + comments)
        == "x.cube is 2003389 bytes long; a table of LUT_3D_SIZE 5 takes at most 1079826 bytes")
    #expect(
      CubeText.refusal(comments) == "x.cube has no LUT_1D_SIZE or LUT_3D_SIZE in its first MiB; is it a .cube file?")
  }
}
