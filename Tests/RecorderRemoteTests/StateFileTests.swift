import Foundation
import Frames
import Platform
import RecorderAPI
import RecorderRemote
import Testing

@Suite struct StateFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-state-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func record(_ phase: RecorderState.Phase = .recording, uptime: Double = 100) -> StateRecord {
    var state = RecorderState(phase: phase)
    state.film = "/films/a.mov"
    state.started = Date(timeIntervalSince1970: 1_763_751_901.125)
    state.ledger.lost = ["overload": 3]
    state.totals = RecorderState.Totals()
    return StateRecord(
      camrec: "0.1.0", name: "front", writer: .own(), time: Date(timeIntervalSince1970: 1_763_751_902.5),
      uptime: uptime,
      state: state)
  }

  @Test func startThatBeginsAFilm_isNoFailedOne() {
    var state = RecorderState(phase: .starting)
    #expect(state.failedStarts(after: 4) == 4)
    state.phase = .ended
    #expect(state.failedStarts(after: 4) == 4, "it was told to end")
    state.failure = "there is no camera"
    #expect(state.failedStarts(after: 4) == 5)
    state.films = 1
    #expect(state.failedStarts(after: 4) == 0)
  }

  @Test func whatIsWritten_isRead() throws {
    let file = StateFile(path: path("front.state.json"))
    try file.write(record(.starting))
    try file.write(record())
    #expect(try StateFile.read(path: file.path) == record())
    #expect(try names == ["front.state.json"], "nothing is left beside it")
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    file.remove()
    #expect(try names == [])
  }

  /// In a folder that others can write somebody may have put a link where the new file is made.
  @Test func link_isNotFollowed() throws {
    let victim = URL(fileURLWithPath: path("victim"))
    try Data("kept".utf8).write(to: victim)
    var host = [CChar](repeating: 0, count: 65)
    try #require(gethostname(&host, 64) == 0)
    let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let link = path(".s.state.json.\(name)-\(ProcessInfo.processInfo.processIdentifier).new")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim.path)
    try StateFile(path: path("s.state.json")).write(record())
    #expect(try String(contentsOf: victim, encoding: .utf8) == "kept")
    #expect(try names == ["s.state.json", "victim"])
  }

  /// Readers never see a part, nor nothing, while the file is replaced.
  @Test func readers_alwaysSeeAWholeFile() throws {
    let file = StateFile(path: path("s.state.json"))
    try file.write(record())
    let path = file.path
    let reader = WorkThread(name: "reader") {
      for _ in 0..<300 {
        do { _ = try StateFile.read(path: path) } catch { Issue.record("\(error)") }
      }
    }
    var long = record()
    for round in 0..<300 {
      long.state.film = String(repeating: "x", count: round * 40 % 9000)
      try file.write(long)
    }
    reader.join()
  }

  @Test func whatCannotBeWritten_isSaid_andLeavesTheOldOne() throws {
    let missing = StateFile(path: path("none/s.state.json"))
    let failure = #expect(throws: CamrecError.self) { try missing.write(record()) }
    #expect(failure?.code == .output)
    #expect(failure?.description == "'\(missing.path)' cannot be written (No such file or directory)")
    // A folder in its place: the new file cannot take it.
    try FileManager.default.createDirectory(atPath: path("taken/inside"), withIntermediateDirectories: true)
    let taken = #expect(throws: CamrecError.self) { try StateFile(path: path("taken")).write(record()) }
    #expect(taken?.message == "'\(path("taken"))' is a folder; name a file in it")
    #expect(try names == ["taken"], "nothing is left beside it")
  }

  @Test func otherFiles_areRefused() throws {
    let nothing = #expect(throws: CamrecError.self) { try StateFile.read(path: path("none")) }
    #expect(nothing?.code == .device)
    #expect(
      nothing?.message
        == "there is no state file '\(path("none"))'; use the path that you gave to 'camrec record --state'")
    for text in ["", "{}", "[1]", #"{"format":"camrec-state","version":2}"#] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path("other")))
      let failure = #expect(throws: CamrecError.self) { try StateFile.read(path: path("other")) }
      #expect(failure?.code == .input)
      #expect(failure?.message.hasPrefix("'\(path("other"))' is not the state file of a recorder") == true)
    }
    var newer = record()
    newer.version = 2
    try StateFile(path: path("newer")).write(newer)
    #expect(throws: CamrecError.self) { try StateFile.read(path: path("newer")) }
  }

  @Test func health_isByTheClockThatDoesNotJump() {
    #expect(RecorderHealth(record(uptime: 100), uptime: 105, isAlive: true) == .runs)
    #expect(RecorderHealth(record(uptime: 100), uptime: 106, isAlive: true) == .silent(seconds: 6))
    #expect(RecorderHealth(record(uptime: 100), uptime: 100, isAlive: false) == .gone)
    #expect(RecorderHealth(record(.ended, uptime: 100), uptime: 900, isAlive: false) == .ended)
  }

  @Test func writer_isToldFromItsNumbersNextOwner() {
    let own = StateWriter.own()
    #expect(own.pid == getpid() && own.isAlive)
    var other = own
    other.started = own.started.map { $0 - 1 }
    #expect(!other.isAlive, "another process had this number")
    other = own
    other.boot = "00000000-0000-0000-0000-000000000000"
    #expect(!other.isAlive, "before the system was started anew")
    other = own
    other.pid = 0x7FFF_FFFF
    #expect(!other.isAlive)
  }
}
