import CameraTestKit
import Foundation
import TestKit
import Testing

/// `camrec exposure replay`, on a trace of two steps of light that lies beside the tests.
@Suite struct ExposureReplayTests {
  private let folder: TemporaryFolder
  private let trace: String

  init() throws {
    folder = try TemporaryFolder()
    let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Traces/step.trace").standardizedFileURL
    trace = try String(contentsOf: committed, encoding: .utf8)
  }

  private func replay(_ text: String) throws -> CamrecBinary.Outcome {
    _ = try folder.write(text.utf8, to: "take.trace")
    return try CamrecBinary.find().run(["exposure", "replay", "take.trace"], in: folder.url, timeout: 60)
  }

  @Test func sameDecisionsAreSaid() throws {
    let outcome = try replay(trace)
    #expect(outcome.exitCode == 0 && outcome.standardError == "")
    #expect(outcome.standardOutput == "take.trace: 73 decisions, all the same\n")
  }

  @Test func oneDecisionIsSaidAsOne() throws {
    let lines = trace.split(separator: "\n").prefix(3).joined(separator: "\n") + "\n"
    #expect(try replay(lines).standardOutput == "take.trace: 1 decision, the same\n")
  }

  @Test func firstOtherDecisionIsNamedWithBoth() throws {
    var lines = trace.split(separator: "\n").map(String.init)
    let changed = lines[100].replacing(" change=", with: " change=9")
    let replayed = lines[100]
    lines[100] = changed
    lines[120] = "= nothing"
    let outcome = try replay(lines.joined(separator: "\n") + "\n")
    #expect(outcome.exitCode == 4 && outcome.standardError == "")
    #expect(
      outcome.standardOutput
        == "take.trace, line 101: the decision differs\n  recorded \(changed)\n  replayed \(replayed)\n")
  }

  @Test func damagedLinesAreRefusedByNumber() throws {
    let lines = trace.split(separator: "\n").map(String.init)
    var bad = lines
    bad[7] = bad[7].replacing("level=", with: "level=x")
    let refusal = try replay(bad.joined(separator: "\n") + "\n")
    #expect(refusal.exitCode == 65 && refusal.standardOutput == "")
    #expect(refusal.standardError.hasPrefix("Error: take.trace, line 8: level is “x"))
    #expect(refusal.standardError.hasSuffix("”; write a whole number from -65536 to 65536\n"))
    let cut = try replay(String(trace.dropLast(20)))
    #expect(cut.exitCode == 65)
    let sentence = "line \(lines.count): the line has no line end; the trace was cut off while it was written"
    #expect(cut.standardError == "Error: take.trace, \(sentence)\n")
    let binary = try replay("\u{0}\u{1}\u{2}")
    #expect(binary.exitCode == 65 && binary.standardError.contains("take.trace, line 1: "))
  }

  @Test func noTraceAtAllIsSaid() throws {
    for (path, words) in [
      ("none.trace", "the trace none.trace cannot be opened; check the path"), (".", "the trace"),
      ("", "the trace's name is empty; give the path of an exposure trace"),
    ] {
      let outcome = try CamrecBinary.find().run(["exposure", "replay", path], in: folder.url, timeout: 60)
      #expect(outcome.exitCode == 65 && outcome.standardError.contains(words), "\(outcome.standardError)")
    }
    let long = try replay("camrec exposure trace 1\n" + String(repeating: "x", count: 1_200_000))
    #expect(long.exitCode == 65 && long.standardError.contains("line 2: longer than 1 MiB"))
  }

  /// Nobody will ever write into it.
  @Test(.timeLimit(.minutes(2))) func aPipeIsRefused_andNotWaitedFor() throws {
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let camrec = try CamrecBinary.find()
    let replayed = try camrec.run(["exposure", "replay", "pipe"], in: folder.url, timeout: 60)
    #expect(
      replayed.exitCode == 65 && replayed.standardError
        == "Error: the trace pipe cannot be opened; check the path (it is a device, a pipe or a socket, not an "
        + "ordinary file)\n", "\(replayed.standardError)")
  }

  // MARK: A trace stops no recording

  private func record(_ trace: String, _ options: [String] = []) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(
      [
        "--camera", "sim:pace=pulled", "--size", "64x36", "--microphone", "none", "--exposure-trace", trace, "--output",
        "take.mov",
      ] + (options.contains("--frames") ? [] : ["--frames", "40"]) + options, in: folder.url, timeout: 60)
  }

  private func isTrace(_ name: String) throws -> Bool {
    try CamrecBinary.find().run(["exposure", "replay", name], in: folder.url).exitCode == 0
  }

  @Test func aTakenNameGetsTheNextNumber() throws {
    mkfifo(folder.path("pipe"), 0o600)
    _ = try folder.write("mine".utf8, to: "notes")
    _ = try folder.write("mine".utf8, to: "t.trace")
    _ = try folder.write("mine".utf8, to: "t-2.trace")
    for (name, got) in [("pipe", "pipe-2"), ("notes", "notes-2"), ("t.trace", "t-3.trace")] {
      let outcome = try record(name)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      let words = "'\(name)' already exists; the exposure trace is '\(got)'"
      #expect(outcome.standardError.contains(words), "\(outcome.standardError)")
      #expect(try isTrace(got) && folder.names.contains("take.mov"))
      for gone in ["take.mov", "take.mov.camrec"] { try FileManager.default.removeItem(atPath: folder.path(gone)) }
    }
    // --overwrite replaces a trace, and nothing else.
    for (name, got) in [("t-3.trace", "t-3.trace"), ("notes", "notes-3")] {
      let outcome = try record(name, ["--overwrite"])
      let isNamed = outcome.standardError.contains("the exposure trace is")
      #expect(outcome.exitCode == 0 && isNamed == (name != got), "\(outcome.standardError)")
    }
    #expect(try String(contentsOfFile: folder.path("notes"), encoding: .utf8) == "mine")
    #expect(try !folder.names.contains("t-4.trace"))
  }

  @Test func theTimeIsFilledIn_andItsFoldersAreMade() throws {
    let outcome = try record("traces-%Y/%m/take_%H.trace", ["--utc"])
    #expect(outcome.exitCode == 0 && !outcome.standardError.contains("trace"), "\(outcome.standardError)")
    let year = try #require(try folder.names.first { $0.hasPrefix("traces-2") })
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path(year)).sorted()
    #expect(files.count == 2 && files[1].firstMatch(of: /^\d\d\/take_\d\d\.trace$/) != nil, "\(files)")
    #expect(try isTrace("\(year)/\(files[1])"))
  }

  /// Its disk may refuse what the last frames have to say.
  @Test func aTraceThatLacksTheLastFramesSaysSo() throws {
    let outcome = try record("/dev/full", ["--frames", "1"])
    let sentence = "Warning: cannot write the exposure trace '/dev/full' ("
    #expect(outcome.exitCode == 0 && outcome.standardError.contains(sentence), "\(outcome.standardError)")
  }

  @Test(arguments: [
    (
      "gone/t.trace",
      "the recording has no exposure trace: cannot write 'gone/t.trace'; choose another path for --exposure-trace (No "
        + "such file or directory)"
    ),
    (
      "take.mov", "the recording has no exposure trace: 'take.mov' has an extension that films use, but a trace is text"
    ),
    ("take.mov.camrec", "the recording has no exposure trace: 'take.mov.camrec' has an extension that films use"),
    ("/dev/full", "cannot write the exposure trace '/dev/full' ("),
    ("a%/b%n/../x", "the recording has no exposure trace: "),
  ]) func withoutATraceTheFilmGoesOn(trace: String, sentence: String) throws {
    let outcome = try record(trace)
    #expect(outcome.exitCode == 0 && outcome.standardError.contains(sentence), "\(outcome.standardError)")
    #expect(try folder.names.contains("take.mov") && RecordedFilm(path: folder.path("take.mov")).pictures.count == 40)
  }
}
