import Foundation
import TestKit
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
      ["golden", "check", "--jobs", "2", "suite.yaml"], in: folder,
      environment: level.map { ["CAMREC_CPU": $0] } ?? [:], timeout: 120)
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput)\(outcome.standardError)")
    #expect(outcome.standardOutput.hasSuffix("\(count) cases: \(count) hold, 0 differ, 0 could not be run\n"))
  }

  /// Every way of the bake comes to the same bits, with each instruction set of this processor, and on a GPU.
  @Test func allWaysComeToTheSame() throws {
    let refused = try camrec.run(["golden", "check", "--cpu", "mmx", "suite.yaml"], in: folder).standardError
    let levels = try #require(refused.firstMatch(of: /choose from ([a-z0-9, ]+)/)).1.filter { $0 != " " }
    for (ways, count) in [
      (["--repeat", "2", "--workers", "1,2,3,8", "--cpu", "scalar"], 8),
      (["--workers", "2", "--cpu", String(levels), "--bake-on", "cpu,gpu"], 2 * levels.split(separator: ",").count),
    ] {
      let outcome = try camrec.run(["golden", "check", "--jobs", "2"] + ways + ["suite.yaml"], in: folder, timeout: 240)
      #expect(outcome.exitCode == 0, "\(outcome.standardOutput)\(outcome.standardError)")
      #expect(outcome.standardOutput.contains("hevc-422"))
      let same = outcome.standardOutput.split(separator: "\n").count {
        $0.contains(" frames, the same in all \(count) variants")
      }
      #expect(same == (try cases().count))
    }
  }

  @Test func waysThatAreNotThereAreRefused() throws {
    for (arguments, sentence) in [
      (["--cpu", "mmx"], "the bake has no instruction set 'mmx' on this processor; choose from scalar"),
      (["--workers", "0"], "the number of workers is 1 to 256"),
      (["--workers", "1,,2"], "write the values with single commas between them"),
      (["--bake-on", "auto"], "a bake runs on cpu or gpu; this is 'auto'"),
      (["--repeat", "0"], "the number of runs is 1 to 100"),
    ] {
      let outcome = try camrec.run(["golden", "check"] + arguments + ["suite.yaml"], in: folder)
      #expect(outcome.exitCode == 64 && outcome.standardError.contains(sentence), "\(outcome.standardError)")
    }
  }

  /// All of these clips have layouts that camrec reads as they are.
  @Test func whatIsReadIsWhatFFmpegReads() throws {
    var count = 0
    for entry in try cases() where entry.stages.contains("read") {
      let from = Int(entry.keys["from"] ?? "0") ?? 0
      let length = entry.keys["frames"].flatMap { Int($0) }
      let range = length.map { ["-vf", "trim=start_frame=\(from):end_frame=\(from + $0),setpts=PTS-STARTPTS"] } ?? []
      let theirs = try theirs(
        ["-noautorotate", "-flags", "+bitexact", "-i", entry.clip(in: folder), "-map", "0:V:0"] + range + [
          "-fps_mode", "passthrough",
        ])
      #expect(try golden("\(entry.name).read") == theirs, "\(entry.name)")
      count += 1
    }
    #expect(count >= 30)
  }

  /// What camrec says of films that it encodes on this machine: FFmpeg's decoder gives the same pictures, and FFmpeg's
  /// filters the same PSNR and SSIM.
  @Test func whatIsDecodedAndMeasuredIsFFmpegs() throws {
    let room = try TemporaryFolder()
    let copy = room.url.appendingPathComponent("Tests/Goldens")
    try FileManager.default.createDirectory(
      at: room.url.appendingPathComponent("Tests"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: folder, to: copy)
    for name in ["LUTs", "Looks"] {
      let tables = folder.appendingPathComponent("../../\(name)").standardizedFileURL
      try FileManager.default.copyItem(at: tables, to: room.url.appendingPathComponent(name))
    }
    let made = try camrec.run(["golden", "update", "--jobs", "2", "suite.yaml"], in: copy)
    #expect(made.exitCode == 0, "\(made.standardOutput)")
    let options = [
      "lut", "look", "grain-seed", "color-in", "color-out", "interpolation", "dither", "profile", "encoder", "preset",
      "quality", "bitrate", "rotation", "frames",
    ]
    func film(_ entry: Case, _ codec: String, _ name: String) throws {
      var arguments = ["bake", entry.clip(in: folder), "--codec", codec, "--overwrite", "--output", room.path(name)]
      for option in options
      where codec != "ffv1" || !["profile", "encoder", "preset", "quality", "bitrate"].contains(option) {
        if let value = entry.keys[option] { arguments += ["--\(option)", value] }
      }
      let outcome = try camrec.run(arguments, in: folder)
      #expect(outcome.exitCode == 0, "\(entry.name): \(outcome.standardError)")
    }
    var counts = (decoded: 0, measured: 0)
    for entry in try cases() where entry.stages.contains("decoded") {
      try film(entry, entry.keys["codec"] ?? "hevc", "film.mov")
      let decoded = try theirs([
        "-noautorotate", "-i", room.path("film.mov"), "-map", "0:V:0", "-fps_mode", "passthrough",
      ])
      let golden = try hashes(
        String(contentsOf: copy.appendingPathComponent("suite.goldens/\(entry.name).decoded.framemd5"), encoding: .utf8)
      )
      #expect(golden == decoded && !golden.isEmpty, "\(entry.name)")
      counts.decoded += 1
      guard
        let said = try made.standardOutput.firstMatch(
          of: Regex(
            "written  \\Q\(entry.name)\\E .*PSNR from ([0-9.]+) dB, SSIM from ([0-9.]+),",
            as: (Substring, Substring, Substring).self))
      else { continue }
      // What went into the encoder, where a lossless film of it has the same samples.
      try film(entry, "ffv1", "reference.mkv")
      let reference = try theirs([
        "-noautorotate", "-i", room.path("reference.mkv"), "-map", "0:V:0", "-fps_mode", "passthrough",
      ])
      guard try self.golden("\(entry.name).baked") == reference else { continue }
      for (filter, key, value) in [("psnr", "psnr_avg:", said.1), ("ssim", "All:", said.2)] {
        try Tool.run([
          "ffmpeg", "-v", "error", "-noautorotate", "-i", room.path("film.mov"), "-noautorotate", "-i",
          room.path("reference.mkv"), "-lavfi",
          "[0:v]settb=1/24,setpts=N[x];[1:v]settb=1/24,setpts=N[y];[x][y]\(filter)=stats_file=\(room.path(filter))",
          "-f", "null", "-",
        ])
        let theirs = try String(contentsOfFile: room.path(filter), encoding: .utf8).split(separator: "\n").compactMap {
          $0.split(separator: " ").first { $0.hasPrefix(key) }.flatMap { Double($0.dropFirst(key.count)) }
        }
        let least = try #require(theirs.min())
        let own = try #require(Double(value))
        #expect(abs(least - own) < (filter == "psnr" ? 0.011 : 0.00011), "\(entry.name): \(filter) \(least), \(own)")
      }
      counts.measured += 1
    }
    #expect(counts.decoded >= 15 && counts.measured >= 5, "\(counts)")
  }

  /// What is baked is in the film, bit for bit where the codec is lossless.
  @Test func whatIsBakedIsWhatFFmpegDecodes() throws {
    let room = try TemporaryFolder()
    var count = 0
    let options = ["lut", "look", "grain-seed", "color-in", "color-out", "interpolation", "dither"]
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
