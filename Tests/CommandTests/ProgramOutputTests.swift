import Foundation
import TestKit
import Testing

/// `--json` means the same everywhere: objects on standard output, a line each.
@Suite(.serialized) struct ProgramOutputTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func objects(_ line: String, status: Int32 = 0) throws -> [[String: Any]] {
    let outcome = try camrec.run(line.split(separator: " ").map(String.init), in: folder.url)
    #expect(outcome.exitCode == status, "\(outcome)")
    return try Events(outcome).all
  }

  private static let cube = "TITLE \"plain\"\nLUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"

  @Test func lookupTables() throws {
    _ = try folder.write(Self.cube.utf8, to: "plain.cube")
    _ = try folder.write(("NOISE 1\n" + Self.cube).utf8, to: "odd.cube")
    let info = try objects("lut info --json plain.cube")
    #expect(info.count == 1 && info[0]["format"] as? String == "camrec-lut-info")
    #expect(info[0]["title"] as? String == "plain")
    #expect(info[0]["latticeSize"] as? Int == 2 && (info[0]["sha256"] as? String)?.count == 64)
    #expect((info[0]["bakes"] as? [[String: Any]])?.map { $0["path"] as? String } == ["narrow", "narrow"])
    let checks = try objects("lut check --json plain.cube odd.cube none.cube", status: 65)
    #expect(checks.map { $0["verdict"] as? String } == ["ok", "odd", "error"], "\(checks)")
  }

  /// Whatever comes first or last, the worst counts.
  @Test func theWorstOfSeveralFilesIsTheExitStatus() throws {
    _ = try folder.write(Self.cube.utf8, to: "plain.cube")
    _ = try folder.write(("NOISE 1\n" + Self.cube).utf8, to: "odd.cube")
    for name in ["film.mov", "taken.mov", "taken.mov.keep"] { _ = try folder.write("film".utf8, to: name) }
    // What a killed bake has left: with --check a warning.
    _ = try folder.write("left".utf8, to: ".x.mov.part-6BA7B810-9DAD-11D1-80B4-00C04FD430C8.mov")
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: false)
    let cases: [(line: String, files: [String], status: Int32)] = [
      ("lut check --json", ["none.cube", "odd.cube", "plain.cube"], 65),
      ("recover --check --json", ["none.mov", ".", "empty"], 65),
      ("keep --json", ["none.mov", "taken.mov", "film.mov"], 74),
    ]
    for one in cases {
      for files in [one.files, one.files.reversed()] {
        _ = try objects(([one.line] + files).joined(separator: " "), status: one.status)
      }
    }
  }

  @Test func keptFilms() throws {
    _ = try folder.write("film".utf8, to: "film.mov")
    let kept = try objects("keep --json film.mov none.mov", status: 65)
    #expect(kept.map { $0["isKept"] as? Bool } == [true, nil] && kept[0]["isNew"] as? Bool == true, "\(kept)")
    func said(_ line: String) throws -> String {
      try camrec.run(line.split(separator: " ").map(String.init), in: folder.url).standardOutput
    }
    #expect(try said("keep film.mov") == "'film.mov' was kept already: no recorder deletes it\n")
    #expect(try said("keep --undo film.mov") == "'film.mov' is no longer kept: a recorder may delete it\n")
    #expect(try said("keep --undo film.mov") == "'film.mov' was not kept: a recorder may delete it\n")
    #expect(try said("keep film.mov") == "'film.mov' is kept: no recorder deletes it\n")
  }

  @Test func tracesAndHooks() throws {
    let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Traces/step.trace").standardizedFileURL
    let replay = try objects("exposure replay --json \(committed.path)")
    #expect(replay.count == 1 && replay[0]["decisions"] as? Int == 73 && replay[0]["isSame"] as? Bool == true)
    #expect(try objects("hooks --json .").isEmpty)
    let missing = try camrec.run(["hooks", "missing"], in: folder.url)
    #expect(
      missing.exitCode == 65 && missing.standardError.hasPrefix("Error: cannot open the folder 'missing' ("),
      "\(missing)")
  }

  /// A folder is none, and what to name instead is said.
  @Test func aFolderIsNoClip() throws {
    try FileManager.default.createDirectory(atPath: folder.path("clips"), withIntermediateDirectories: false)
    let outcome = try camrec.run(["bake", "clips/", "--output", "film.mov"], in: folder.url)
    #expect(
      outcome.exitCode == 65 && outcome.standardError == "Error: clips/ is a folder; name its clips: clips/*.mov\n",
      "\(outcome)")
  }

  /// What was asked is the first that is said.
  @Test func aBenchBeginsWithThePreset() throws {
    let outcome = try camrec.run(["bench", "--size", "64x36", "--duration", "40ms"])
    let first = try #require(outcome.standardOutput.split(separator: "\n").first)
    #expect(
      first.hasPrefix("for 64x36 at 24 fps choose --preset ") || first.contains("is more than this machine"),
      "\(first)")
  }
}
