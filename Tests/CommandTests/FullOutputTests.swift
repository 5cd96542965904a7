import Foundation
import TestKit
import Testing

/// Standard output on a disk that is full: what was asked for was not told, and that is no success.
@Suite struct FullOutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: [String], output: FileHandle? = FileHandle(forWritingAtPath: "/dev/full")
  ) throws -> (status: Int32, words: String) {
    let process = Process(), errors = Pipe()
    process.executableURL = try CamrecBinary.find().url
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return (process.terminationStatus, words)
  }

  @Test(arguments: [
    "devices", "devices --json", "controls list --camera sim", "lut info look.cube",
    "lut check look.cube", "info take.mov", "info --json take.mov", "verify take.mov", "hooks .", "recover take.mov",
    "bracket --shadow 1/4 --highlight 1/1000 --frames 5 --spacing 1", "rig check rig.yaml", "rig check --json rig.yaml",
    "compare take.mov take.mov", "doctor", "controls set --camera sim iso=400",
    "lut compose look.cube look.cube both.cube", "manual", "--help", "--version", "record --help",
    "--generate-completion-script bash",
  ])
  func isAFailure(_ line: String) throws {
    let table = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" }.joined(separator: "\n")
    _ = try folder.write("LUT_3D_SIZE 2\n\(table)\n".utf8, to: "look.cube")
    _ = try folder.write("cameras: {a: {camera: sim}}\n".utf8, to: "rig.yaml")
    if line.contains("take.mov") {
      let film = try run([
        "--camera", "sim:pace=pulled", "--size", "64x36", "--frames", "5", "--microphone", "none", "--output",
        "take.mov",
      ])
      #expect(film.status == 0, "\(film.words)")
    }
    let (status, words) = try run(line.split(separator: " ").map(String.init))
    #expect(status == 74, "\(words)")
    #expect(words.hasSuffix("Error: cannot write to standard output (No space left on device)\n"), "\(words)")
  }

  /// What is at work ends its work; no signal ends it before.
  @Test(arguments: [
    "devices --json", "info --json take.mov", "verify --json take.mov", "compare take.mov take.mov", "manual", "--help",
    "bake --json take.mov --output out.mov", "golden check suite.yaml --json",
  ])
  func aClosedPipeIsAFailure_thatNobodyHasToBeTold(_ line: String) throws {
    let film = try run([
      "--camera", "sim:pace=pulled", "--size", "64x36", "--frames", "5", "--microphone", "none", "--output", "take.mov",
    ])
    #expect(film.status == 0, "\(film.words)")
    let digest = String(decoding: try Tool.run(["sha256sum", folder.path("take.mov")]), as: UTF8.self).prefix(64)
    _ = try folder.write("cases: {a: {clip: take.mov, sha256: \(digest)}}\n".utf8, to: "suite.yaml")
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let (status, words) = try run(line.split(separator: " ").map(String.init), output: pipe.fileHandleForWriting)
    #expect(status == 74 && !words.contains("standard output"), "\(words)")
    if line.hasPrefix("bake") { #expect(RunningRig.isPlayable(folder.path("out.mov"))) }
  }

  @Test func anOutputThatIsNotOpenForWritingIsSaid() throws {
    let (status, words) = try run(["--version"], output: FileHandle(forReadingAtPath: "/dev/null"))
    #expect(status == 74, "\(words)")
    #expect(words.hasSuffix("Error: cannot write to standard output (Bad file descriptor)\n"), "\(words)")
  }

  /// Its events are no part of it.
  @Test func recordingGoesOn() throws {
    let (status, words) = try run([
      "--camera", "sim:pace=pulled", "--size", "64x36", "--frames", "24", "--microphone", "none", "--json", "--output",
      "take.mov",
    ])
    #expect(status == 0 && RunningRig.isPlayable(folder.path("take.mov")), "\(words)")
  }
}
