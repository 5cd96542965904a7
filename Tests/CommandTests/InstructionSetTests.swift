import Foundation
import TestKit
import Testing

/// `CAMREC_CPU`.
@Suite struct InstructionSetTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func record(_ level: String, to name: String) throws -> CamrecBinary.Outcome {
    let look = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../LUTs/log2709.cube").standardized.path
    return try camrec.run(
      [
        "--camera", "sim:pace=pulled", "--size", "318x202", "--frames", "6", "--pixel-format", "p010",
        "--profile", "main", "--lut", look, "--dither", "ordered", "--output", name,
      ], in: folder.url, environment: ["CAMREC_CPU": level], timeout: 60)
  }

  @Test func theBestLevelRecordsTheBitsOfPlainC() throws {
    for level in ["scalar", ""] {
      let outcome = try record(level, to: "take\(level).framemd5")
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    }
    let plain = try String(contentsOfFile: folder.path("takescalar.framemd5"), encoding: .utf8)
    #expect(try String(contentsOfFile: folder.path("take.framemd5"), encoding: .utf8) == plain)
    #expect(plain.split(separator: "\n").count { !$0.hasPrefix("#") } == 6)
  }

  @Test func whatIsNoLevelIsRefused() throws {
    let sentence = "CAMREC_CPU is 'mmx', which is not an instruction set of the bake; choose from scalar"
    let outcome = try record("mmx", to: "take.framemd5")
    #expect(outcome.exitCode == 64 && outcome.standardError.contains(sentence))
    #expect(try folder.names == [])
    let bench = try camrec.run(["bench"], environment: ["CAMREC_CPU": "mmx"], timeout: 60)
    #expect(bench.exitCode == 64 && bench.standardError.contains(sentence) && bench.standardOutput.isEmpty)
  }
}
