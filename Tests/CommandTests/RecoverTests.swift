import Foundation
import TestSupport
import Testing

/// `camrec recover` on what SIGKILL leaves.
@Suite(.serialized) struct RecoverTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func run(_ line: String) throws -> CamrecBinary.Outcome {
    try camrec.run(line.split(separator: " ").map(String.init), in: folder.url)
  }

  /// Leaves a film of some seconds that was killed.
  private func killed() throws {
    let running = try camrec.start(
      [
        "--camera", "sim", "--size", "160x90", "--timecode", "10:00:00:00", "--rotation", "90", "--output", "take.mov",
        "--json",
      ],
      in: folder.url)
    while running.outputSoFar().standardOutput.firstMatch(of: /"frames":[4-9]\d/) == nil { usleep(50_000) }
    let busy = try run("recover take.mov")
    #expect(busy.exitCode == 74 && busy.standardError.contains("is being recorded or recovered right now"))
    running.send(signal: SIGKILL)
    _ = running.wait(timeout: 20)
  }

  @Test func aKilledFilmBecomesAnOrdinaryOne() throws {
    try killed()
    let check = try run("recover --check take.mov")
    #expect(
      check.exitCode == 4 && check.standardOutput.hasPrefix("'take.mov' can be recovered: "), "\(check.standardOutput)")
    let before = try Probe(folder.path("take.mov"))
    let outcome = try run("recover --json .")
    #expect(outcome.exitCode == 0 && outcome.standardError == "", "\(outcome.standardError)")
    let told = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
    #expect(told["format"] as? String == "camrec-recover" && told["version"] as? Int == 1)
    #expect(told["verdict"] as? String == "recovered")
    let frames = try #require(told["frames"] as? Int), missing = try #require(told["missing"] as? Int)
    let film = try Probe(folder.path("take.mov"))
    #expect(film.video["nb_frames"] as? String == "\(frames)" && frames >= 12)
    #expect(film.timecode == "10:00:00:00" && film.rotation == before.rotation && film.colors == before.colors)
    #expect(film.tags == before.tags && film.audio["codec_name"] as? String == "pcm_s16le")
    let info = try run("info take.mov")
    #expect(info.standardOutput.contains(": \(frames) frames are in the film, \(missing) that were written are not"))
    #expect(!info.standardError.contains("has no end"))
    let json = try run("info --json take.mov")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any])
    #expect((object["recovered"] as? [String: Any])?["missing"] as? Int == missing)
    #expect(object["frames"] as? Int == frames + missing)
    let again = try run("recover take.mov.camrec")
    #expect(again.exitCode == 0 && again.standardOutput == "'take.mov' is finished; there is nothing to recover\n")
    #expect(try run("recover .").standardOutput == "'.' holds no unfinished film\n")
  }

  /// As a power cut leaves one that had just begun.
  @Test func aFolderWithAnEmptyFilm_hasNothingToComplainOf() throws {
    _ = try folder.write([], to: "take-2.mov")
    _ = try folder.write(#"{"camrec-sidecar":1,"film":"take-2.mov"}"#.utf8, to: "take-2.mov.camrec")
    let outcome = try run("recover .")
    #expect(outcome.exitCode == 0 && outcome.standardError == "", "\(outcome.standardError)")
    #expect(
      try run("recover take-2.mov").standardError == "Error: 'take-2.mov' is empty: nothing of it can be recovered\n")
  }

  @Test func argumentsThatDoNotFitAreRefused() throws {
    let none = try run("recover none.mov")
    #expect(
      none.exitCode == 65 && none.standardError == "Error: 'none.mov' does not exist; check the path\n",
      "\(none.standardError)")
    #expect(try run("recover --output a.mov b.mov c.mov").exitCode == 64)
    #expect(try run("recover --output a.mkv b.mov").exitCode == 64)
    #expect(try run("recover --output a.mov .").exitCode == 64)
    #expect(try run("recover").exitCode == 64)
  }
}
