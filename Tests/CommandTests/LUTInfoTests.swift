import Foundation
import TestKit
import Testing

@Suite struct LUTInfoTests {
  private static let identity = """
    TITLE "nothing"
    LUT_3D_SIZE 2
    0 0 0
    1 0 0
    0 1 0
    1 1 0
    0 0 1
    1 0 1
    0 1 1
    1 1 1.5

    """

  @Test func saysWhatIsInside() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(LUTInfoTests.identity.utf8, to: "a.cube")
    let outcome = try CamrecBinary.find().run(["lut", "info", path], timeout: 60)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.standardOutput.contains(
        "title: nothing\n3D table: 2x2x2, input 0.0 to 1.0\n3D values: 0.0 to 1.5, 1 of 24 outside 0 to 1\n"))
    #expect(
      outcome.standardOutput.contains(
        """

        bake at 8 bits: narrow arithmetic (rec709 to rec709, tetrahedral)
        bake at 10 bits: narrow arithmetic (rec709 to rec709, tetrahedral)

        """))
    #expect(outcome.standardOutput.contains(try sha256(of: path)))
  }

  /// One that gives the same for all greys lets none fall, but none rises either.
  @Test func neutralsThatStayTheSameDoNotRise() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      ("LUT_3D_SIZE 2\n" + String(repeating: "0.5 0.5 0.5\n", count: 8)).utf8, to: "flat.cube")
    let outcome = try CamrecBinary.find().run(["lut", "info", path], timeout: 60)
    #expect(
      outcome.standardOutput.contains("\nneutrals: never fall; channels at most 0.000000 apart\n"), "\(outcome)")
  }

  /// Where Y' spans 1023 codes instead of 876, or cells have curved surfaces, 16 bits are too coarse for this table.
  @Test func thePathIsThatOfTheColoursAndTheInterpolation() throws {
    let folder = try TemporaryFolder()
    let steep = (0..<8).map { corner in (0..<3).map { corner >> $0 & 1 == 0 ? "-4.3" : "4.3" }.joined(separator: " ") }
    let path = try folder.write(("LUT_3D_SIZE 2\n" + steep.joined(separator: "\n") + "\n").utf8, to: "a.cube")
    func paths(_ options: String...) throws -> [Substring] {
      let outcome = try CamrecBinary.find().run(["lut", "info", path] + options, timeout: 60)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      return outcome.standardOutput.split(separator: "\n").filter { $0.hasPrefix("bake at ") }
    }
    #expect(try paths()[1] == "bake at 10 bits: narrow arithmetic (rec709 to rec709, tetrahedral)")
    #expect(
      try paths("--color-out", "rec709-full") == [
        "bake at 8 bits: narrow arithmetic (rec709 to rec709-full, tetrahedral)",
        "bake at 10 bits: wide arithmetic (rec709 to rec709-full, tetrahedral)",
      ])
    #expect(
      try paths("--color-in", "slog3", "--interpolation", "trilinear")[1]
        == "bake at 10 bits: wide arithmetic (slog3 to rec709, trilinear)")
  }

  @Test func aTableThatNoBakeAppliesSaysWhy() throws {
    let folder = try TemporaryFolder()
    let far = LUTInfoTests.identity.replacingOccurrences(of: "1 1 1.5", with: "1 1 1e30")
    let path = try folder.write(far.utf8, to: "a.cube")
    let outcome = try CamrecBinary.find().run(["lut", "info", path], timeout: 60)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.standardOutput.contains(
        "\nbake at 8 bits: refused because the LUT cannot be applied to within one code value: its values differ too "
          + "much, or its DOMAIN is too narrow; export it again with ordinary values (0 is black, 1 is white)\n"))
  }

  /// By another program.
  private func sha256(of path: String) throws -> String {
    String(String(decoding: try Tool.run(["sha256sum", path]), as: UTF8.self).prefix(64))
  }
}
