import Foundation
import TestKit
import Testing

/// `camrec view` hands over to the program of its window.
@Suite struct ViewTests {
  private let folder: TemporaryFolder
  private let camrec: CamrecBinary

  /// A camrec in a folder of its own, so that no camrec-view is beside it.
  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path("camrec")
    try FileManager.default.copyItem(at: try CamrecBinary.find().url, to: URL(fileURLWithPath: path))
    camrec = CamrecBinary(url: URL(fileURLWithPath: path))
  }

  /// A program that says which arguments it gets, one a line.
  private func write(_ name: String, in subfolder: String = "", says word: String = "") throws {
    let text = "#!/bin/sh\nfor word in \(word) \"$@\"; do echo \"$word\"; done\nexit 7\n"
    if !subfolder.isEmpty {
      try FileManager.default.createDirectory(atPath: folder.path(subfolder), withIntermediateDirectories: true)
    }
    let path = try folder.write(text.utf8, to: subfolder.isEmpty ? name : "\(subfolder)/\(name)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private func view(_ arguments: String..., path: String = "/usr/bin:/bin") throws -> CamrecBinary.Outcome {
    try camrec.run(["view"] + arguments, in: folder.url, environment: ["PATH": path])
  }

  @Test func withoutItsProgram_viewSaysHowToGetIt() throws {
    let outcome = try view()
    #expect(outcome.exitCode == 69 && outcome.standardOutput.isEmpty)
    #expect(
      outcome.standardError == "Error: camrec view needs camrec-view: install the package camrec-view, or build it: "
        + "swift build -c release --product camrec-view\n")
  }

  @Test func theProgramBesideIt_getsWhatWasAskedFor() throws {
    try write("camrec-view")
    let outcome = try view(
      "--measure", "2", "--size", "800x480", "--wait", "--name", "front", "--ungraded", "--full-screen")
    #expect(outcome.exitCode == 7, "it is the same process")
    #expect(
      outcome.standardOutput.split(separator: "\n")
        == ["--name=front", "--size=800x480", "--measure=2", "--full-screen", "--ungraded", "--wait"])
    #expect(try view("--monitor", "-a b.monitor").standardOutput == "--monitor=-a b.monitor\n")
  }

  @Test func otherwise_itIsLookedForInThePath() throws {
    try write("camrec-view", in: "bin", says: "path")
    #expect(try view(path: "/nowhere::\(folder.path("bin")):/bin").standardOutput == "path\n")
    try write("camrec-view", says: "beside")
    #expect(try view(path: "\(folder.path("bin")):/bin").standardOutput == "beside\n")
  }

  @Test func aProgramThatCannotBeStarted_isNamed() throws {
    let path = try folder.write("\u{7F}ELF".utf8, to: "camrec-view")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let outcome = try view()
    #expect(outcome.exitCode == 69)
    #expect(outcome.standardError.hasPrefix("Error: cannot start '\(path)'; install the package camrec-view again ("))
  }

  @Test func aNameAndAMonitor_excludeEachOther() throws {
    let outcome = try view("--name", "front", "--monitor", "a.monitor")
    #expect(outcome.exitCode == 64)
    #expect(outcome.standardError.contains("--name and --monitor exclude each other: give one of them"))
  }
}
