import Foundation
import TestKit
import Testing

/// `record --look` and `bake --look`: films with a look, and what is refused.
@Suite(.serialized) struct LookFilmTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private static let camera = "--camera sim:pace=pulled --size 162x90 --microphone none"

  private func run(_ words: String, cpu: String = "") throws -> CamrecBinary.Outcome {
    try camrec.run(
      words.split(separator: " ").map(String.init), in: folder.url, environment: ["CAMREC_CPU": cpu], timeout: 120)
  }

  private func hashes(_ name: String) throws -> [Substring] {
    try String(contentsOfFile: folder.path(name), encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.suffix(32) }
  }

  private func head(_ film: String) throws -> [String: Any] {
    let text = try String(contentsOfFile: folder.path("\(film).camrec"), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first)
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  // MARK: What a film says

  @Test func aFilmSaysItsLook_everywhere() throws {
    let outcome = try run(
      "\(Self.camera) --frames 6 --look \(LookFiles.portra) --grain-seed 7 --json --output take.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let started = try Events(outcome).started
    let look = try #require(started["look"] as? [String: Any])
    #expect(look["name"] as? String == "portra-400" && look["version"] as? Int == 1 && look["seed"] as? Int == 7)
    #expect(started["lut"] == nil && started["colorOut"] as? String == "rec709")
    let head = try head("take.mov")
    #expect(head["look"] as? String == "portra-400" && head["lookVersion"] as? Int == 1)
    #expect(head["grainSeed"] as? Int == 7 && head["lut"] == nil)
    let tags = try Probe(folder.path("take.mov")).tags
    #expect(tags["look"] == "portra-400, version 1" && tags["grain_seed"] == "7", "\(tags)")
    let told = try run("info take.mov").standardOutput
    let line = "look: portra-400, version 1, grain seed 7, grain of 1 px, the smallest"
    #expect(told.split(separator: "\n").contains(line[...]), "\(told)")
    #expect(look["sigma"] as? Double == 1 && head["grainSigma"] as? Double == 1 && look["frame"] == nil)
    let info = try #require(
      try JSONSerialization.jsonObject(with: Data(try run("info --json take.mov").standardOutput.utf8))
        as? [String: Any])
    let said = (info["film"] as? [String: Any])?["look"] as? [String: Any]
    #expect(said?["name"] as? String == "portra-400" && said?["seed"] as? Int == 7, "\(info)")
  }

  /// Once, in the line that names the look.
  @Test(arguments: [
    ("1/3000", ", grain of 1 px, the smallest"), ("1/100", ", grain of 1.8 px"),
  ]) func theSizeOfTheGrainIsSaid(size: String, words: String) throws {
    try LookFiles.writeOwn(to: folder, [("size: 1/3000", "size: \(size)")])
    let camera = "--camera sim:pace=pulled --size 320x180 --microphone none"
    for command in ["\(camera) --frames 1 --codec ffv1 --output take.mkv", "bake take.mkv --output film.mov"] {
      let outcome = try run("\(command) --look own.yaml")
      #expect(outcome.exitCode == 0)
      let lines = outcome.standardError.split(separator: "\n").filter { $0.contains("grain") }
      #expect(lines == ["look: own, version 1, grain seed 1\(words)"], "\(outcome)")
    }
  }

  /// A baked film says its own look, and a warning the one before.
  @Test func aBakeCarriesTheLook() throws {
    #expect(try run("\(Self.camera) --frames 3 --look \(LookFiles.portra) --output take.mov").exitCode == 0)
    #expect(try run("bake take.mov --output plain.mov").exitCode == 0)
    #expect(try head("plain.mov")["look"] as? String == "portra-400")
    #expect(try Probe(folder.path("plain.mov")).tags["look"] == "portra-400, version 1")
    try LookFiles.writeOwn(to: folder)
    func warning(_ clip: String, _ look: String) -> String {
      "'\(clip)' already has the look \(look), version 1, so the film has two looks; for one, use a clip without a look"
    }
    let first = warning("take.mov", "portra-400")
    let second = try run("bake take.mov --look own.yaml --grain-seed 9 --output own.mov")
    #expect(second.exitCode == 0 && second.standardError.contains("Warning: \(first)\n"), "\(second)")
    let head = try head("own.mov")
    #expect(head["look"] as? String == "own" && head["grainSeed"] as? Int == 9)
    let told = try run("info own.mov").standardOutput
    #expect(told.components(separatedBy: first).count == 2, "\(told)")
    let third = try run("bake own.mov --look own.yaml --json --output third.mov")
    #expect(try Events(third).warnings == [warning("own.mov", "own")], "\(third)")
    // Without a sidecar, the film's tags tell.
    try FileManager.default.removeItem(atPath: folder.path("take.mov.camrec"))
    let untold = try run("bake take.mov --look own.yaml --no-sidecar --json --output fourth.mkv")
    #expect(try Events(untold).warnings == [first], "\(untold)")
    let fifth = try run("bake fourth.mkv --look own.yaml --json --output fifth.framemd5")
    #expect(try Events(fifth).warnings == [warning("fourth.mkv", "own")], "\(fifth)")
    let plain = try run("bake take.mov --json --overwrite --output plain.mov")
    #expect(try Events(plain).warnings == [], "\(plain)")
  }

  // MARK: Which grain

  /// The grain goes on from segment to segment, so that a later one does not begin with the first.
  @Test func aSegmentSaysWhereItsGrainBegins() throws {
    let take = "\(Self.camera) --fps 24 --frames 60 --codec ffv1 --look \(LookFiles.portra)"
    #expect(try run("\(take) --output whole.framemd5").exitCode == 0)
    #expect(try run("\(take) --segment 1s --output part.mkv").exitCode == 0)
    let whole = try hashes("whole.framemd5")
    for (name, first) in [("part-0001.mkv", 0), ("part-0002.mkv", 24), ("part-0003.mkv", 48)] {
      #expect(try head(name)["grainFrame"] as? Int == (first == 0 ? nil : first), "\(name)")
      let tags = try Probe(folder.path(name)).tags
      #expect(tags["GRAIN_FRAME"] == (first == 0 ? nil : "\(first)") && tags["GRAIN_SEED"] == "1", "\(tags)")
      let told = try run("info \(name)").standardOutput
      let begin = first == 0 ? "" : ", the first frame has that of frame \(first)"
      let words = "look: portra-400, version 1, grain seed 1, grain of 1 px, the smallest\(begin)"
      #expect(told.split(separator: "\n").contains(words[...]), "\(told)")
      #expect(try run("bake \(name) --codec ffv1 --output \(name).framemd5").exitCode == 0)
      #expect(try hashes("\(name).framemd5") == Array(whole[first..<min(first + 24, 60)]), "\(name)")
    }
    // A bake keeps the clip's look, or has grain of its own.
    #expect(try run("bake part-0002.mkv --output kept.mov").exitCode == 0)
    #expect(try head("kept.mov")["grainFrame"] as? Int == 24)
    #expect(try Probe(folder.path("kept.mov")).tags.contains { $0.key.lowercased() == "grain_frame" })
    #expect(try run("bake part-0002.mkv --look \(LookFiles.portra) --output own.mov").exitCode == 0)
    #expect(try head("own.mov")["grainFrame"] == nil)
    #expect(try !Probe(folder.path("own.mov")).tags.contains { $0.key.lowercased() == "grain_frame" })
  }

  /// In standby the camera's frames are baked already, and the film begins with one of them.
  @Test func aFilmWithAPreRollSaysWhereItsGrainBegins() throws {
    let socket = folder.path("c.sock")
    let recorder = try camrec.start(
      "record --camera sim --size 162x90 --microphone none --codec ffv1 --state none --json --standby --pre-roll 100ms"
        .split(separator: " ").map(String.init)
        + ["--look", LookFiles.portra, "--output", "take.mkv", "--control", socket], in: folder.url)
    func ctl(_ word: String) throws -> [String: Any]? {
      let outcome = try camrec.run(["ctl", "--socket", socket, "--json", word], timeout: 60)
      guard outcome.exitCode == 0 else { return nil }
      return try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any]
    }
    func wait(until isSo: ([String: Any]) -> Bool) throws {
      for _ in 0..<600 {
        if let state = try ctl("state"), isSo(state) { return }
        usleep(50_000)
      }
      Issue.record("waited in vain: \(recorder.outputSoFar())")
    }
    try wait { (($0["preRoll"] as? [String: Any])?["seconds"] as? Double ?? 0) >= 0.1 }
    // Frames count by their times, whether or not they are kept.
    usleep(1_000_000)
    #expect(try ctl("start") != nil)
    try wait { ($0["seconds"] as? Double ?? 0) > 0.5 }
    #expect(try ctl("stop") != nil && ctl("quit") != nil)
    let outcome = recorder.wait()
    let frame = (try Events(outcome).started["look"] as? [String: Any])?["frame"] as? Int
    #expect((frame ?? 0) > 0, "\(outcome)")
    #expect(try head("take.mkv")["grainFrame"] as? Int == frame)
    #expect(try Probe(folder.path("take.mkv")).tags["GRAIN_FRAME"] == frame.map { "\($0)" })
  }

  // MARK: The bits

  /// Seed and frame number decide on the grain: neither the way of the frames nor who bakes them.
  @Test(arguments: ["nv12", "p010"]) func theBitsAreTheSame_onEveryWay(_ format: String) throws {
    let take = "\(Self.camera) --frames 6 --pixel-format \(format) --codec ffv1"
    let look = "--look \(LookFiles.portra) --grain-seed 5"
    #expect(try run("\(take) \(look) --workers 1 --output take.framemd5", cpu: "scalar").exitCode == 0)
    let plain = try hashes("take.framemd5")
    #expect(plain.count == 6 && Set(plain).count == 6)
    let ways = [("best", ""), ("two", " --workers 2"), ("three", " --workers 3"), ("gpu", " --bake-on gpu")]
    for (name, more) in ways {
      let outcome = try run("\(take) \(look)\(more) --output \(name).framemd5")
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      #expect(try hashes("\(name).framemd5") == plain, "\(name)")
    }
    #expect(try run("\(take) --output plain.mkv").exitCode == 0)
    #expect(try run("bake plain.mkv \(look) --codec ffv1 --output baked.framemd5").exitCode == 0)
    #expect(try hashes("baked.framemd5") == plain)
    #expect(try run("\(take) --look \(LookFiles.portra) --output usual.framemd5").exitCode == 0)
    #expect(try run("\(take) --look \(LookFiles.portra) --grain-seed 1 --output one.framemd5").exitCode == 0)
    let usual = try hashes("usual.framemd5")
    #expect(try hashes("one.framemd5") == usual)
    #expect(zip(usual, plain).allSatisfy { $0 != $1 })
  }

  /// A frame that never comes takes its number with it: the next ones have the grain that they would have had.
  @Test func grainCountsLostFrames() throws {
    _ = try folder.write("drop 3 2".utf8, to: "faults.txt")
    func take(_ more: String, to name: String) throws -> CamrecBinary.Outcome {
      let camera = "--camera sim:pace=pulled,sensitivity=fixed\(more) --size 162x90 --microphone none"
      return try run("\(camera) --frames 8 --look \(LookFiles.portra) --codec ffv1 --output \(name)")
    }
    #expect(try take("", to: "whole.framemd5").exitCode == 0)
    let outcome = try take(",faults=faults.txt", to: "holes.framemd5")
    #expect(outcome.exitCode == 3, "\(outcome)")
    let whole = try hashes("whole.framemd5")
    #expect(Set(whole).count == 8)
    #expect(try hashes("holes.framemd5") == Array(whole[..<3] + whole[5...]))
  }

  // MARK: A guess

  @Test func coloursThatAreGuessedAreSaid() throws {
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=24", "-frames:v", "2", "-c:v", "ffv1",
      "-pix_fmt", "yuv420p", folder.path("clip.mkv"),
    ])
    func warnings(_ more: String) throws -> [String] {
      let outcome = try run("bake clip.mkv --look \(LookFiles.portra)\(more) --json --output film.mov --overwrite")
      #expect(outcome.exitCode == 0, "\(outcome)")
      return try Events(outcome).warnings
    }
    #expect(
      try warnings("") == [
        "the look takes the clip for rec601 (a guess: the clip has no colour tags); if that is wrong, set --color-in"
      ])
    #expect(try warnings(" --color-in rec709") == [])
  }

  // MARK: What is refused

  private func check(
    _ outcome: CamrecBinary.Outcome, status: Int32, _ sentence: String, leaves names: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(outcome.exitCode == status, "\(outcome)", sourceLocation: sourceLocation)
    let errors = outcome.standardError.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
    #expect(errors.count == 1 && errors.first?.contains(sentence) == true, "\(outcome)", sourceLocation: sourceLocation)
    #expect(try folder.names == names, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    ("[0.5, 0.48]", "[0.5, 0.08]", "own.yaml:32:5: curve: points must rise in both numbers"),
    ("intensity: 0.04", "intensity: 1.04", "own.yaml:37:20: grain.intensity: this must be a number from 0 to 1"),
    ("exposure:", "exposre:", "own.yaml:28:1: exposre: there is no key 'exposre'; did you mean exposure?"),
    ("table: own.cube", "table: none.cube", "own.yaml:35:8: table: 'none.cube' cannot be read"),
    ("table: own.cube", "table: small.cube", "own.yaml:35:8: table: 'small.cube' has 2 points per side; a look's"),
    ("camrec-look: 1", "camrec-look: 2", "camrec-look: this look is in format 2, and this camrec reads only up to 1"),
  ])
  func aLookFileThatIsWrong(_ old: String, _ new: String, _ sentence: String) throws {
    try LookFiles.writeOwn(to: folder, [(old, new)])
    _ = try folder.write(
      "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n".utf8, to: "small.cube")
    for words in ["\(Self.camera) --frames 2", "bake nothing.mov"] {
      try check(
        try run("\(words) --look own.yaml --output take.mov"), status: 65, sentence,
        leaves: ["own.cube", "own.yaml", "small.cube"])
    }
  }

  @Test func aLookThatIsNotThere() throws {
    for words in ["\(Self.camera) --frames 2", "bake nothing.mov"] {
      try check(
        try run("\(words) --look none.yaml --output take.mov"), status: 65,
        "the look 'none.yaml' cannot be read (No such file or directory)", leaves: [])
    }
    let own = folder.url.appending(path: "camrec/looks")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    _ = try folder.write("camrec-look: 1\n".utf8, to: "camrec/looks/evening.yaml")
    let outcome = try camrec.run(
      "\(Self.camera) --look evenin --output take.mov".split(separator: " ").map(String.init), in: folder.url,
      environment: ["XDG_CONFIG_HOME": folder.url.path])
    try check(outcome, status: 64, "there is no look 'evenin'; did you mean evening?", leaves: ["camrec"])
  }

  /// Also where the clip itself says it.
  @Test func coloursThatALookDoesNotTakeOrGive() throws {
    func clip(_ transfer: String) throws {
      try Tool.run([
        "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=24", "-frames:v", "2", "-c:v",
        "ffv1", "-pix_fmt", "yuv420p", "-color_primaries", "bt709", "-colorspace", "bt709", "-color_trc", transfer,
        folder.path("clip.mkv"),
      ])
    }
    let takes = "a look takes rec709, rec601, srgb, display-p3 and the cameras' logs, not "
    for (transfer, options, sentence) in [
      ("linear", "", takes + "linear with the primaries rec709; if the colours are others, set --color-in"),
      ("smpte2084", "", takes + "pq with the primaries rec709;"),
      ("bt709", " --color-in pq", takes + "pq with the primaries rec2020;"),
      ("bt709", " --color-in hlg", takes + "hlg with the primaries rec2020;"),
      ("bt709", " --color-in rec2020", takes + "rec709 with the primaries rec2020;"),
      (
        "bt709", " --color-out rec2020",
        "a look gives rec709, srgb or display-p3, not rec709 with the primaries rec2020; choose one of these with "
          + "--color-out"
      ),
    ] as [(String, String, String)] {
      try clip(transfer)
      for words in ["bake clip.mkv", "--camera clip:clip.mkv --microphone none"] {
        try check(
          try run("\(words) --look \(LookFiles.portra)\(options) --output take.mov"), status: 64, sentence,
          leaves: ["clip.mkv"])
      }
    }
  }
}
