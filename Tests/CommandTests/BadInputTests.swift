import CameraTestKit
import Foundation
import TestKit
import Testing

/// Files, devices and outputs that cannot be used: one sentence, the documented status, and nothing is left behind.
@Suite struct BadInputTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private static let header = "LUT_3D_SIZE 2\n"

  @Test(arguments: [
    ("", "is empty"),
    ("\u{0}\u{1}\u{2}\u{3}binary", "line 1"),
    (header + "0 0 0\n1 0 0\n", "has 2 rows of numbers; LUT_3D_SIZE 2 asks for 8"),
    (header + String(repeating: "0 0 0\n", count: 9), "line 10"),
    (header + "0,5 0 0\n", "line 2"),
    (header + "nan 0 0\n", "line 2"),
    ("LUT_3D_SIZE 300\n", "line 1: LUT_3D_SIZE has “300”; write one whole number from 2 to 256"),
    ("LUT_1D_SIZE 70000\n", "line 1: LUT_1D_SIZE has “70000”"),
  ])
  func badLUTIsNamedWithItsLine(_ text: String, _ words: String) throws {
    let cube = try folder.write(text.utf8, to: "bad.cube")
    for command in ["--camera sim", "bake nothing.mov"] {
      let outcome = try run("\(command) --lut \(cube) --output take.mov")
      try check(outcome, status: 65, words: [cube, words], leaves: ["bad.cube"])
    }
  }

  @Test func oversizedLUTIsNotRead() throws {
    let cube = try folder.write(BadInputTests.header.utf8, to: "big.cube")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: cube))
    try handle.truncate(atOffset: 8 << 30)
    try handle.close()
    try check(try run("--camera sim --lut \(cube) --output take.mov"), status: 65, words: [cube], leaves: ["big.cube"])
  }

  /// A fragment of a few bytes may promise 80 million samples, for which FFmpeg would take 5 GB.
  @Test(arguments: ["bake bad.mp4 --output out.mov", "compare bad.mp4 bad.mp4", "golden init .", "verify bad.mp4"])
  func whatASmallFilmMayCostIsLimited(command: String) throws {
    let sound = folder.path("sound.mp4")
    try Tool.run(
      "ffmpeg -v error -f lavfi -i testsrc=size=64x36:rate=24 -frames:v 8 -c:v libx264 -movflags".split(separator: " ")
        .map(String.init) + ["frag_keyframe+empty_moov", sound])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: sound))
    let run = try #require(bytes.range(of: Data("trun".utf8))).upperBound
    // Flags: a place of the data, and nothing that there is of each sample.
    let count = withUnsafeBytes(of: UInt32(80_000_000).bigEndian, Array.init)
    bytes.replaceSubrange(run..<run + 8, with: [0, 0, 0, 1] + count)
    _ = try folder.write(bytes, to: "bad.mp4")
    try FileManager.default.removeItem(atPath: sound)
    let running = try camrec.start(command.split(separator: " ").map(String.init), in: folder.url)
    var peak = 0
    while let status = try? String(contentsOfFile: "/proc/\(running.processIdentifier)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    {
      peak = max(peak, line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
      usleep(2000)
    }
    let outcome = running.wait()
    #expect([5, 65].contains(outcome.exitCode), "\(outcome)")
    let sentence = "bad.mp4 needs more memory than a clip's index should; it is damaged"
    #expect((outcome.standardError + outcome.standardOutput).contains(sentence), "\(outcome)")
    #expect(peak > 1000 && peak < 1_000_000, "\(peak) kB")
  }

  @Test func missingLUTAndDirectory() throws {
    try check(
      try run("--camera sim --lut none.cube --output take.mov"), status: 65, words: ["none.cube", "does not exist"])
    try check(try run("--camera sim --lut \(folder.url.path) --output take.mov"), status: 65, words: ["is a folder"])
  }

  @Test(
    arguments: [
      ("take.avi", 64, "needs a name that ends in .mov, .mkv or .framemd5"),
      ("nowhere/take.mov", 74, "the folder of 'nowhere/take.mov' does not exist"),
      ("/proc/take.mov", 74, "'/proc/take.mov'"),
    ] as [(String, Int32, String)])
  func outputThatCannotBeCreated(_ output: String, _ status: Int32, _ words: String) throws {
    try check(
      try run("--camera sim:pace=pulled --size 64x36 --frames 2 --output \(output)"), status: status, words: [words])
  }

  @Test func directoryAsOutput() throws {
    try FileManager.default.createDirectory(atPath: folder.path("take.mov"), withIntermediateDirectories: false)
    try check(
      try run("--camera sim --overwrite --output take.mov"), status: 74,
      words: ["'take.mov' is a folder; name a file in it"],
      leaves: ["take.mov"])
  }

  /// No camera is started for them: nothing is counted as captured and lost.
  @Test func namesThatCannotBeWrittenAreRefusedBeforeTheStart() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("take.mov"), withDestinationPath: "nothing.mov")
    let long = String(repeating: "x", count: 252) + ".mov"
    for (output, words) in [("take.mov", "'take.mov' exists already"), (long, "is too long for this file system")] {
      let outcome = try run("--camera sim --output \(output)")
      try check(outcome, status: 74, words: [words], leaves: ["take.mov"])
      #expect(!outcome.standardError.contains("captured"))
    }
  }

  @Test func existingOutputStaysAsItIs() throws {
    _ = try folder.write("precious".utf8, to: "take.mov")
    try check(
      try run("--camera sim --output take.mov"), status: 74,
      words: ["'take.mov' exists already; choose another --output or allow replacing it with --overwrite"],
      leaves: ["take.mov"])
    #expect(try String(contentsOfFile: folder.path("take.mov"), encoding: .utf8) == "precious")
    let outcome = try run("--camera sim:pace=pulled --size 64x36 --frames 2 --overwrite --output take.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(try Probe(folder.path("take.mov")).video["nb_frames"] as? String == "2")
  }

  /// A file-size limit stands for a full disk: what fits is kept and plays.
  @Test func fullDiskKeepsWhatFits() throws {
    let shell = CamrecBinary(url: URL(fileURLWithPath: "/bin/sh"))
    let command =
      "ulimit -f 2000; exec '\(camrec.url.path)' --camera sim:pace=pulled --size 320x180 --bitrate 8M"
      + " --preset ultrafast"
      + " --frames 200 --json --output take.mov"
    let outcome = try shell.run(["-c", command], in: folder.url, timeout: 60)
    #expect(outcome.exitCode == 74 && !outcome.endedBySignal, "\(outcome.standardError)")
    #expect(outcome.standardError.contains("'take.mov' has reached the system's limit for file sizes: "))
    #expect(outcome.standardError.contains(" lost. The film plays, with "))
    let events = try Events(outcome)
    let film = try RecordedFilm(path: folder.path("take.mov"))
    #expect(film.pictures.count > 10 && film.isInOrder && film.missingNumbers == [])
    #expect(events.account[2] == film.pictures.count)
    #expect(events.account[0] == events.account[2] + events.losses.reduce(0, +) && events.losses[3] > 0)
  }

  @Test(arguments: [
    ("--camera sim --size 9000x5000", "choose --size 7680x4320 or add --nearest"),
    ("--camera sim --fps 500", "choose --fps 240 or add --nearest"),
    ("--camera sim --pixel-format rgb3", "the simulated camera has no pixel format 'rgb3'; it has nv12"),
    ("--camera sim --size 1279x719", "1279x719 is odd, but libx265 shares chroma between pairs of pixels"),
    ("--camera sim:colour=blue", "there is no option 'colour'"),
    ("--camera sim --timecode 1:2:3", "timecode '1:2:3' is neither HH:MM:SS:FF"),
    ("--camera sim --preset fastest", "libx265 has no preset 'fastest'; it has "),
    ("--camera sim --quality 99", "quality 99 is outside libx265's CRF range"),
    ("--camera sim --encoder libfoo", "this FFmpeg has no hevc encoder 'libfoo' that takes yuv420p"),
    ("--camera sim --profile baseline", "HEVC has no profile 'baseline'; it has main, main10"),
    ("--camera sim --codec ffv1 --quality 3", "ffv1 is lossless"),
    ("--camera sim --color-in vlog --color-out rec2020", "give --lut FILE.cube"),
  ])
  func whatTheDeviceOrTheEncoderDoesNotHave(_ arguments: String, _ words: String) throws {
    try check(try run("\(arguments) --output take.mov"), status: 64, words: [words])
  }

  @Test(arguments: [
    ("--camera sim --microphone hw:Missing", "hw:Missing"), ("--camera /dev/video250", "/dev/video250"),
    ("--camera /dev/null", "/dev/null"),
  ])
  func missingDevices(_ arguments: String, _ words: String) throws {
    try check(try run("\(arguments) --output take.mov"), status: 69, words: [words])
  }

  @Test func clipsThatAreNone() throws {
    let text = try folder.write("no media here\n".utf8, to: "text.mov")
    try check(try run("bake \(text) --output take.mov"), status: 65, words: [text], leaves: ["text.mov"])
    try check(try run("bake none.mov --output take.mov"), status: 65, words: ["none.mov"], leaves: ["text.mov"])
    try check(try run("--camera clip:\(text) --output take.mov"), status: 65, words: [text], leaves: ["text.mov"])
  }

  @Test func clipWithoutVideo() throws {
    try Tool.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.2", folder.path("sound.wav")])
    try check(
      try run("bake sound.wav --output take.mov"), status: 65,
      words: ["sound.wav has no video stream, which a clip needs"], leaves: ["sound.wav"])
  }

  @Test func clipWithoutItsIndex() throws {
    try Tool.run(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=24:duration=1", "-c:v", "ffv1",
        folder.path("a.mov"),
      ])
    let whole = try Data(contentsOf: folder.url.appendingPathComponent("a.mov"))
    _ = try folder.write(whole.prefix(whole.count / 2), to: "half.mov")
    try check(
      try run("bake half.mov --output take.mov"), status: 65, words: ["half.mov", "cut off"],
      leaves: ["a.mov", "half.mov"])
  }

  @Test func refusalIsAnEvent() throws {
    let outcome = try run("--camera sim --lut none.cube --json --output take.mov")
    let events = try Events(outcome)
    #expect(outcome.exitCode == 65 && events.kinds == ["stopped"] && events.stopped["status"] as? Int == 65)
    let error = events.stopped["error"] as? [String: Any]
    #expect(error?["code"] as? String == "input" && (error?["message"] as? String)?.contains("none.cube") == true)
  }

  // MARK: Helpers

  private func run(_ text: String) throws -> CamrecBinary.Outcome {
    try camrec.run(text.split(separator: " ").map(String.init), in: folder.url, timeout: 60)
  }

  private func check(
    _ outcome: CamrecBinary.Outcome, status: Int32, words: [String], leaves names: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      outcome.exitCode == status && !outcome.endedBySignal, "\(outcome.standardError)", sourceLocation: sourceLocation)
    let sentences = outcome.standardError.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
    #expect(sentences.count == 1, "\(outcome.standardError)", sourceLocation: sourceLocation)
    for word in words {
      #expect(
        sentences.first?.contains(word) == true, "'\(word)' in: \(outcome.standardError)",
        sourceLocation: sourceLocation)
    }
    #expect(try folder.names == names, sourceLocation: sourceLocation)
  }
}
