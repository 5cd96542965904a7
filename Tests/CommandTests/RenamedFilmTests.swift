import CameraTestKit
import Foundation
import TestKit
import Testing

/// Films that somebody renames, deletes or replaces while they are recorded.
@Suite(.serialized) struct RenamedFilmTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func start(_ line: String, in place: URL? = nil) throws -> RunningCamrec {
    let control = line.contains("--control") ? "" : "--control none "
    let camera = "record --camera sim --size 320x180 --fps 25 --codec ffv1 --state none \(control)"
    return try camrec.start((camera + line).split(separator: " ").map(String.init), in: place ?? folder.url)
  }

  private func wait(_ what: String, until condition: () throws -> Bool) throws {
    for _ in 0..<1200 {
      if try condition() { return }
      usleep(50_000)
    }
    Issue.record("waited in vain until \(what)")
  }

  private func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
  }

  /// Until something of the film is on the disk.
  private func awaitFilm(_ path: String) throws {
    try wait("'\(path)' grows") {
      size(path) > 200_000
    }
  }

  private func awaitWords(_ words: String, _ recorder: RunningCamrec) throws {
    try wait("it says '\(words)'") { recorder.outputSoFar().standardError.contains(words) }
  }

  /// Of the account: expected, written.
  private func frames(_ outcome: CamrecBinary.Outcome) throws -> (expected: Int, written: Int) {
    let line = try #require(outcome.standardError.split(separator: "\n").first { $0.hasPrefix("frames: ") })
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    return (numbers[0], numbers[2])
  }

  /// The films follow one another without a gap, with their sound, and have all that was written.
  private func expectAll(_ films: [String], _ outcome: CamrecBinary.Outcome, in place: URL? = nil) throws {
    let paths = films.map { (place ?? folder.url).appendingPathComponent($0).path }
    let recorded = try paths.map { try RecordedFilm(path: $0) }
    #expect(recorded.allSatisfy { $0.isInOrder && !$0.pictures.isEmpty })
    #expect(try recorded.reduce(0) { $0 + $1.packetCount } == frames(outcome).written, "\(outcome.standardError)")
    let numbers = recorded.flatMap { $0.numbers.compactMap(\.self) }
    #expect(numbers == numbers.sorted())
    for (path, film) in zip(paths, recorded) {
      let sidecar = try camrec.run(["info", path + ".camrec"])
      #expect(sidecar.exitCode == 0 && sidecar.standardError.isEmpty, "\(sidecar.standardError)")
      #expect(sidecar.standardOutput.contains("written \(film.packetCount),"), "\(sidecar.standardOutput)")
    }
  }

  private func end(_ recorder: RunningCamrec) -> CamrecBinary.Outcome {
    recorder.send(signal: SIGINT)
    return recorder.wait(timeout: 120)
  }

  /// The film goes on; its sidecar lies beside it again when it ends.
  @Test(arguments: ["deleted", "replaced", "renamed"])
  func aSidecarThatGoesAloneComesBack(how: String) throws {
    let recorder = try start("--microphone none -o take.mov"), sidecar = folder.path("take.mov.camrec")
    try awaitFilm(folder.path("take.mov"))
    try wait("there is a sidecar") { size(sidecar) > 0 }
    switch how {
    case "deleted": #expect(unlink(sidecar) == 0)
    case "replaced":
      #expect(unlink(sidecar) == 0)
      try Data("notes of mine\n".utf8).write(to: URL(fileURLWithPath: sidecar))
    default: #expect(rename(sidecar, folder.path("elsewhere")) == 0)
    }
    let words = "the sidecar 'take.mov.camrec' was deleted or replaced while it was being written"
    if how != "renamed" { try awaitWords(words, recorder) }
    let outcome = end(recorder)
    // A slow machine may lose frames.
    #expect([0, 3].contains(outcome.exitCode), "\(outcome.standardError)")
    if how == "replaced" {
      #expect(try String(contentsOfFile: sidecar, encoding: .utf8) == "notes of mine\n")
      #expect(outcome.standardError.contains("the film 'take.mov' has no sidecar"), "\(outcome.standardError)")
      unlink(sidecar)
      return
    }
    try expectAll(["take.mov"], outcome)
    #expect(!FileManager.default.fileExists(atPath: folder.path("elsewhere")))
  }

  @Test(arguments: [false, true], ["mkv", "mov"])
  func aFilmThatIsRenamedGoesOnUnderItsNewName(withSidecar: Bool, kind: String) throws {
    let log = folder.path("hook")
    let recorder = try start("--microphone sim -o take.\(kind) --hook \(try hook(log)) --hook {}")
    try awaitFilm(folder.path("take.\(kind)"))
    // It is made when the film's own name is on the disk.
    if withSidecar { try wait("there is a sidecar") { size(folder.path("take.\(kind).camrec")) > 0 } }
    if withSidecar { #expect(rename(folder.path("take.\(kind).camrec"), folder.path("b.\(kind).camrec")) == 0) }
    #expect(rename(folder.path("take.\(kind)"), folder.path("b.\(kind)")) == 0)
    try awaitWords(
      "Warning: 'take.\(kind)' was renamed while it was being recorded; the film continues", recorder)
    let outcome = end(recorder)
    #expect([0, 3].contains(outcome.exitCode) && !outcome.standardError.contains("Error"), "\(outcome.standardError)")
    #expect(outcome.standardError.components(separatedBy: "was renamed while").count == 2, "it is said once")
    #expect(outcome.standardError.contains("/b.\(kind): "), "the account names it")
    try expectAll(["b.\(kind)"], outcome)
    #expect(try folder.names.filter { $0.hasPrefix("take") } == [])
    #expect(try String(contentsOfFile: log, encoding: .utf8).hasSuffix("/b.\(kind)\n"), "the hook had it")
    let catalogue = try String(contentsOfFile: folder.path(".camrec-films.jsonl"), encoding: .utf8)
    #expect(catalogue.split(separator: "\n").contains { $0.contains("finished") && $0.contains("b.\(kind)") })
  }

  @Test func filmsThatTakeEachOthersNameKeepTheirSidecars() throws {
    let recorders = try ["a", "b"].map { try start("--microphone none -o \($0).mkv") }
    for name in ["a", "b"] { try awaitFilm(folder.path("\(name).mkv")) }
    for (from, to) in [("a", "t"), ("b", "a"), ("t", "b")] {
      #expect(rename(folder.path("\(from).mkv"), folder.path("\(to).mkv")) == 0)
    }
    for recorder in recorders { try awaitWords("was renamed while", recorder) }
    for recorder in recorders {
      let outcome = end(recorder)
      #expect([0, 3].contains(outcome.exitCode), "\(outcome.standardError)")
      #expect(!outcome.standardError.contains("no sidecar"), "\(outcome.standardError)")
    }
    for (name, film) in [("a", "b.mkv"), ("b", "a.mkv")] {
      let sidecar = try String(contentsOfFile: folder.path("\(name).mkv.camrec"), encoding: .utf8)
      #expect(sidecar.prefix { $0 != "\n" }.contains("\"film\":\"\(film)\""), "\(sidecar.prefix(300))")
      #expect(sidecar.contains("\"end\":"), "all of it is there")
    }
    #expect(try folder.names == ["a.mkv", "a.mkv.camrec", "b.mkv", "b.mkv.camrec"])
  }

  /// A program that writes down which film it was given.
  private func hook(_ log: String) throws -> String {
    let path = try folder.write("#!/bin/sh\necho \"$1\" >> \(log)\n".utf8, to: "note")
    #expect(chmod(path, 0o700) == 0)
    return path
  }

  @Test(arguments: ["", "--segment 1h", "--microphone none"], ["mkv", "mov", "framemd5"])
  func aFilmThatIsDeletedIsKept_andTheRecordingGoesOn(options: String, kind: String) throws {
    let sound = options.contains("microphone") || kind == "framemd5" ? "" : "--microphone sim"
    let recorder = try start("\(sound) -o take.\(kind) \(options)")
    let first = options.contains("segment") ? "take-0001.\(kind)" : "take.\(kind)"
    let second = options.contains("segment") ? "take-0002.\(kind)" : "take-2.\(kind)"
    try wait("'\(first)' grows") {
      size(folder.path(first)) > 2000
    }
    #expect(unlink(folder.path(first)) == 0)
    try awaitWords(
      "Error: '\(first)' was deleted or replaced by another file while it was being recorded; the recording continues"
        + " in a new file with the next frame; camrec copies what was recorded", recorder)
    try awaitWords("saved what was recorded of '\(first)' as '\(first)'", recorder)
    try wait("the next film grows") {
      size(folder.path(second)) > 2000
    }
    let outcome = end(recorder)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    if kind == "framemd5" {
      let lines = try [first, second].map {
        try String(contentsOfFile: folder.path($0), encoding: .utf8).split(separator: "\n").count { !$0.hasPrefix("#") }
      }
      #expect(try lines.allSatisfy { $0 > 0 } && lines.reduce(0, +) == frames(outcome).written)
    } else {
      try expectAll([first, second], outcome)
    }
    #expect(try folder.names.filter { $0.hasSuffix(kind) } == [first, second].sorted())
  }

  @Test func theCopyHasItsEvent_asTheFileBehindIt() throws {
    let recorder = try start("--microphone none -o take.mkv --json")
    try awaitFilm(folder.path("take.mkv"))
    #expect(unlink(folder.path("take.mkv")) == 0)
    try wait("it is copied") { recorder.outputSoFar().standardOutput.contains("saved what was recorded of") }
    try wait("the next film grows") { size(folder.path("take-2.mkv")) > 2000 }
    let events = try Events(end(recorder)), segments = events.all.filter { $0["event"] as? String == "segment" }
    let outputs = segments.compactMap { $0["output"] as? String }.map { ($0 as NSString).lastPathComponent }
    #expect(outputs == ["take.mkv", "take-2.mkv"] && segments.compactMap { $0["number"] as? Int } == [1, 2])
    let frames = segments.compactMap { $0["frames"] as? Int }
    #expect(frames.reduce(0, +) == events.stopped["frames"] as? Int && events.stopped["segments"] as? Int == 2)
  }

  /// Each kind of file system numbers and copies in its own way. FAT makes its numbers up.
  @Test(.enabled("root alone can mount, and mkfs programs are missing") { !ImageDisk.available.isEmpty },
    arguments: ImageDisk.available)
  func everyFileSystem(kind: String) throws {
    let disk = try ImageDisk(kind)
    let recorder = try start("--microphone sim -o take.mkv", in: disk.url)
    try awaitFilm(disk.path("take.mkv"))
    #expect(rename(disk.path("take.mkv"), disk.path("b.mkv")) == 0)
    try awaitWords("the film continues as '\(disk.path("b.mkv"))'", recorder)
    #expect(unlink(disk.path("b.mkv")) == 0)
    try awaitWords("of '\(disk.path("b.mkv"))' as '\(disk.path("b.mkv"))'", recorder)
    let outcome = end(recorder)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    try expectAll(["b.mkv", "take-2.mkv"], outcome, in: disk.url)
    #expect(try disk.names == ["b.mkv", "b.mkv.camrec", "take-2.mkv", "take-2.mkv.camrec"])
  }

  @Test func anotherFilmInItsPlaceIsNotTouched() throws {
    let recorder = try start("--microphone sim -o take.mkv")
    try awaitFilm(folder.path("take.mkv"))
    _ = try folder.write("somebody's".utf8, to: "other.mkv")
    #expect(rename(folder.path("other.mkv"), folder.path("take.mkv")) == 0)
    try awaitWords("of 'take.mkv' as 'take-3.mkv'", recorder)
    let outcome = end(recorder)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    try expectAll(["take-3.mkv", "take-2.mkv"], outcome)
    #expect(try String(contentsOfFile: folder.path("take.mkv"), encoding: .utf8) == "somebody's")
  }

  /// It began with what was before, and goes on like any other.
  @Test func aFilmWithAPreRollGoesOn() throws {
    let socket = folder.path("c.sock")
    let recorder = try camrec.start(
      "record --camera sim --size 320x180 --codec ffv1 --state none -o take.mkv --pre-roll 1s --standby"
        .split(separator: " ").map(String.init) + ["--microphone", "sim", "--control", socket], in: folder.url)
    func ctl(_ word: String) throws -> Bool {
      try camrec.run(["ctl", "--socket", socket, word], timeout: 60).exitCode == 0
    }
    try wait("it stands by") { try ctl("state") }
    try wait("its film begins") { try ctl("start") }
    try awaitFilm(folder.path("take.mkv"))
    #expect(unlink(folder.path("take.mkv")) == 0)
    try awaitWords("of 'take.mkv' as 'take.mkv'", recorder)
    try wait("the next file grows") { size(folder.path("take-2.mkv")) > 2000 }
    #expect(try ctl("stop") && ctl("quit"))
    let outcome = recorder.wait()
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    try expectAll(["take.mkv", "take-2.mkv"], outcome)
  }

  /// Too late for another file: noticed when it is finished.
  @Test func aFilmThatIsDeletedAtItsEndIsCopied() throws {
    let recorder = try start("--microphone sim -o take.mkv --frames 40")
    try wait("it is there") { try folder.names.contains("take.mkv") }
    // In the last second of a recording of less than two.
    #expect(unlink(folder.path("take.mkv")) == 0)
    let outcome = recorder.wait()
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    let films = try folder.names.filter { $0.hasSuffix(".mkv") }
    try expectAll(["take.mkv"] + films.filter { $0 == "take-2.mkv" }, outcome)
  }

  /// Deletes a film that is larger than what a copy may take beside the recording.
  private func loseFilm(on disk: SmallDisk, _ line: String) throws -> RunningCamrec {
    let recorder = try start("--microphone sim --warn-space none \(line)", in: disk.url)
    try awaitFilm(disk.path("take.mkv"))
    try disk.fill(leaving: 33 << 20)
    try wait("it is larger than what a copy may take") {
      size(disk.path("take.mkv")) > 1 << 20
    }
    #expect(unlink(disk.path("take.mkv")) == 0)
    try awaitWords("'take.mkv' was deleted or replaced and cannot be copied", recorder)
    return recorder
  }

  /// Nothing is left to be reserved for any more.
  @Test(.enabled("file systems in memory can be mounted by root alone") { SmallDisk.isAvailable })
  func withoutRoomForACopyItIsCopiedWhenTheRecordingHasEnded() throws {
    let disk = try SmallDisk(megabytes: 60)
    let log = folder.path("hook")
    let recorder = try loseFilm(on: disk, "-o take.mkv --hook \(try hook(log)) --hook {}")
    let said = recorder.outputSoFar().standardError
    #expect(said.contains("cannot be copied: the copy needs ") && said.contains(" that are free: the rest"), "\(said)")
    let command = try #require(said.components(separatedBy: "copy it now: cp ").last?.split(separator: " ").first)
    #expect(command.hasPrefix("/proc/\(recorder.processIdentifier)/fd/"), "\(said)")
    try Tool.run(["cp", String(command), folder.path("saved.mkv")])
    let outcome = end(recorder)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    #expect(outcome.standardError.contains("saved what was recorded of 'take.mkv' as 'take.mkv'"), "\(outcome)")
    try expectAll(["take.mkv", "take-2.mkv"], outcome, in: disk.url)
    #expect(try Data(contentsOf: disk.url.appendingPathComponent("take.mkv"))
      == Data(contentsOf: folder.url.appendingPathComponent("saved.mkv")))
    let catalogue = try String(contentsOfFile: disk.path(".camrec-films.jsonl"), encoding: .utf8)
    #expect(catalogue.split(separator: "\n").contains { $0.contains("finished") && $0.contains("\"take.mkv\"") })
    let handled = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(handled.contains { $0.hasSuffix("/take.mkv") }, "\(handled)")
  }

  @Test(.enabled("file systems in memory can be mounted by root alone") { SmallDisk.isAvailable })
  func withoutRoomForACopyItIsCopiedAsSoonAsThereIsRoom() throws {
    let disk = try SmallDisk(megabytes: 60)
    let recorder = try loseFilm(on: disk, "-o take.mkv")
    try FileManager.default.removeItem(atPath: disk.path("filler"))
    try awaitWords("saved what was recorded of 'take.mkv' as 'take.mkv'", recorder)
    #expect(!recorder.outputSoFar().standardError.contains("frames: "), "it records still")
    let outcome = end(recorder)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    try expectAll(["take.mkv", "take-2.mkv"], outcome, in: disk.url)
  }

  /// The film ends by itself for lack of room, and there is none for a copy either.
  private func fillUp(_ disk: SmallDisk, _ recorder: RunningCamrec) throws {
    try disk.shrink(leaving: 1 << 16)
    try awaitWords("camrec keeps the deleted films open and keeps trying to copy them; to give them up, use", recorder)
  }

  @Test(.enabled("file systems in memory can be mounted by root alone") { SmallDisk.isAvailable },
    arguments: [false, true])
  func withoutRoomForACopyItStaysOpenUntilSomebodyEndsCamrec(withQuit: Bool) throws {
    let disk = try SmallDisk(megabytes: 60), socket = folder.path("c.sock")
    let recorder = try loseFilm(on: disk, "-o take.mkv --control \(socket)")
    try fillUp(disk, recorder)
    #expect(recorder.outputSoFar().standardError.contains("to give them up, use Ctrl-C, SIGTERM or 'camrec ctl quit'"))
    if withQuit {
      #expect(try camrec.run(["ctl", "--socket", socket, "quit"], timeout: 60).exitCode == 0)
    } else {
      recorder.send(signal: SIGTERM)
    }
    let outcome = recorder.wait(timeout: 120)
    #expect(outcome.exitCode == 74, "\(outcome.standardError)")
    #expect(!outcome.standardError.contains("nothing was recorded"), "\(outcome.standardError)")
    #expect(try !folder.names.contains("take.mkv"))
  }

  @Test(.enabled("file systems in memory can be mounted by root alone") { SmallDisk.isAvailable })
  func whatStaysOpenIsCopiedWhenThereIsRoom_andCamrecEnds() throws {
    let disk = try SmallDisk(megabytes: 60)
    let recorder = try loseFilm(on: disk, "-o take.mkv")
    try fillUp(disk, recorder)
    try disk.resize(to: "60m")
    let outcome = recorder.wait(timeout: 120)
    #expect(outcome.exitCode == 74, "the recording ended for lack of room: \(outcome.standardError)")
    #expect(outcome.standardError.contains("saved what was recorded of 'take.mkv' as 'take.mkv'"), "\(outcome)")
    let film = try RecordedFilm(path: disk.path("take.mkv"))
    #expect(film.isInOrder && !film.pictures.isEmpty)
  }
}
