import Foundation
import TestKit
import Testing

/// A film that was killed and not recovered is no whole clip, for nobody who reads it.
@Suite(.serialized) struct UnfinishedFilmTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  /// Leaves a film of some seconds that was killed.
  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
    let running = try camrec.start(
      ["--camera", "sim", "--size", "160x90", "--output", "take.mov", "--json"], in: folder.url)
    while running.outputSoFar().standardOutput.firstMatch(of: /"frames":[4-9]\d/) == nil { usleep(50_000) }
    running.send(signal: SIGKILL)
    _ = running.wait(timeout: 60)
  }

  private func run(_ line: String) throws -> CamrecBinary.Outcome {
    try camrec.run(line.split(separator: " ").map(String.init), in: folder.url)
  }

  @Test func itsBakeIsNoSuccess() throws {
    let outcome = try run("bake take.mov --json --output out.mov")
    #expect(outcome.exitCode == 3, "\(outcome)")
    let events = try Events(outcome)
    #expect(events.stopped["status"] as? Int == 3, "\(outcome)")
    let remedy = "; to finish it first, run: camrec recover take.mov"
    let warning = "take.mov is an unfinished film, and not all of it may be read\(remedy)"
    #expect(events.warnings.contains(warning), "\(outcome)")
    let frames = try #require(events.stopped["frames"] as? Int)
    #expect(
      events.warnings.contains {
        $0.hasPrefix("take.mov is an unfinished film: the \(frames) frames up to ") && $0.hasSuffix(remedy)
      }, "\(outcome)")
    let info = try run("info out.mov").standardOutput
    #expect(info.contains("take.mov is an unfinished film, and "), "its sidecar has the warning: \(info)")
    #expect(try run("bake take.mov --output out.framemd5").exitCode == 3)
    _ = try folder.write("take.mov\n".utf8, to: "list")
    let list = try run("bake --list list --output baked/{clip}.mov")
    #expect(list.exitCode == 3 && list.standardOutput.contains("is an unfinished film: "), "\(list)")
    #expect(try run("recover take.mov").exitCode == 0)
    let again = try run("bake take.mov --overwrite --output out.mov")
    #expect(again.exitCode == 0 && !again.standardError.contains("unfinished"), "\(again)")
  }

  @Test func itMakesNoGolden_andIsNotCompared() throws {
    let digest = String(decoding: try Tool.run(["sha256sum", folder.path("take.mov")]), as: UTF8.self).prefix(64)
    _ = try folder.write("cases:\n  a:\n    clip: take.mov\n    sha256: \(digest)\n".utf8, to: "suite.yaml")
    for verb in ["record", "check"] {
      let outcome = try run("golden \(verb) suite.yaml")
      #expect(outcome.exitCode == 65 && outcome.standardOutput.contains("take.mov' is cut off"), "\(verb): \(outcome)")
    }
    #expect(try !folder.names.contains("suite.goldens"))
    let compared = try run("compare take.mov take.mov")
    #expect(compared.exitCode == 65 && compared.standardError.contains("'take.mov' is cut off"), "\(compared)")
  }
}
