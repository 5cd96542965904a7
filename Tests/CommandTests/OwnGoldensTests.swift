import Foundation
import TestSupport
import Testing

/// camrec's own clips and goldens (`Tests/Goldens`), and FFmpeg's word on them.
@Suite(.serialized) struct OwnGoldensTests {
  private let camrec: CamrecBinary
  private let folder: URL

  init() throws {
    camrec = try CamrecBinary.find()
    folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Goldens")
  }

  private struct Case {
    let name: String
    var keys: [String: String] = [:]

    var stages: String { keys["stages"] ?? "[read, baked]" }
    func clip(in folder: URL) -> String { folder.appendingPathComponent(keys["clip"] ?? "").path }
  }

  /// The cases of the suite, which is written in one key a line.
  private func cases() throws -> [Case] {
    let text = try String(contentsOf: folder.appendingPathComponent("suite.yaml"), encoding: .utf8)
    var cases: [Case] = []
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: #/  ([a-z0-9-]+):/#) {
        cases.append(Case(name: String(match.1)))
      } else if let match = line.wholeMatch(of: #/    ([a-z0-9-]+): (.+)/#) {
        cases[cases.count - 1].keys[String(match.1)] = String(match.2)
      }
    }
    return cases
  }

  private func golden(_ name: String) throws -> [String] {
    let text = try String(contentsOf: folder.appendingPathComponent("suite.goldens/\(name).framemd5"), encoding: .utf8)
    return hashes(text)
  }

  private func hashes(_ text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.suffix(32)) }
  }

  private func theirs(_ arguments: [String]) throws -> [String] {
    hashes(
      String(decoding: try Tool.run(["ffmpeg", "-v", "error"] + arguments + ["-f", "framemd5", "-"]), as: UTF8.self))
  }

  @Test(arguments: ["scalar", nil]) func allHold(level: String?) throws {
    let count = try cases().count
    #expect(count >= 40)
    let outcome = try camrec.run(
      ["golden", "check", "--jobs", "2", "suite.yaml"], in: folder, environment: level.map { ["CAMREC_CPU": $0] } ?? [:]
    )
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput)\(outcome.standardError)")
    #expect(outcome.standardOutput.hasSuffix("\(count) cases: \(count) hold, 0 differ, 0 could not be run\n"))
  }

  /// Every way of the bake comes to the same bits.
  @Test func allWaysComeToTheSame() throws {
    let outcome = try camrec.run(
      ["golden", "check", "--jobs", "2", "--repeat", "2", "--workers", "1,2,8", "--cpu", "scalar", "suite.yaml"],
      in: folder)
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput)\(outcome.standardError)")
    #expect(outcome.standardOutput.contains("hevc-422"))
    let ways = outcome.standardOutput.split(separator: "\n").count { $0.contains(" frames, the same in 6 ways") }
    #expect(ways == (try cases().count))
  }

  @Test func waysThatAreNotThereAreRefused() throws {
    for (arguments, sentence) in [
      (["--cpu", "mmx"], "'mmx' is no instruction set that the bake has on this processor; choose from scalar"),
      (["--workers", "0"], "the number of workers is 1 to 256"),
      (["--workers", "1,,2"], "a list with a comma between two"),
      (["--bake-on", "auto"], "a bake is on cpu or gpu; this is 'auto'"),
      (["--repeat", "0"], "the number of runs is 1 to 100"),
    ] {
      let outcome = try camrec.run(["golden", "check"] + arguments + ["suite.yaml"], in: folder)
      #expect(outcome.exitCode == 64 && outcome.standardError.contains(sentence), "\(outcome.standardError)")
    }
  }

  /// All of these clips have layouts that camrec reads as they are.
  @Test func whatIsReadIsWhatFFmpegReads() throws {
    var count = 0
    for entry in try cases() where entry.stages.contains("read") && entry.keys["frames"] == nil {
      let theirs = try theirs([
        "-noautorotate", "-flags", "+bitexact", "-i", entry.clip(in: folder), "-map", "0:V:0", "-fps_mode",
        "passthrough",
      ])
      #expect(try golden("\(entry.name).read") == theirs, "\(entry.name)")
      count += 1
    }
    #expect(count >= 30)
  }

  /// What is baked is in the film, bit for bit where the codec is lossless.
  @Test func whatIsBakedIsWhatFFmpegDecodes() throws {
    let room = try TemporaryFolder()
    var count = 0
    let options = ["lut", "color-in", "color-out", "interpolation", "dither"]
    for entry in try cases() where entry.keys["codec"] == "ffv1" && entry.stages.contains("baked") {
      var arguments = [
        "bake", entry.clip(in: folder), "--codec", "ffv1", "--overwrite", "--output", room.path("film.mkv"),
      ]
      for option in options { if let value = entry.keys[option] { arguments += ["--\(option)", value] } }
      let outcome = try camrec.run(arguments, in: folder)
      #expect(outcome.exitCode == 0, "\(entry.name): \(outcome.standardError)")
      let theirs = try theirs([
        "-noautorotate", "-i", room.path("film.mkv"), "-map", "0:V:0", "-fps_mode", "passthrough",
      ])
      #expect(try golden("\(entry.name).baked") == theirs, "\(entry.name)")
      count += 1
    }
    #expect(count >= 30)
  }
}
