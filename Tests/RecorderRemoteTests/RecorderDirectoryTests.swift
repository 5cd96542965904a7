import Foundation
import Frames
import Platform
import RecorderAPI
import RecorderRemote
import Synchronization
import Testing

/// A real folder, and the kernel's own reports about it.
@Suite struct RecorderDirectoryTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-directory-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A process that does nothing, and ends when it is killed or this process ends.
  private final class Idler: Sendable {
    private let process: ChildProcess
    private let ended: MonotonicSemaphore

    init() throws {
      let ended = MonotonicSemaphore()
      self.ended = ended
      process = try ChildProcess(
        program: "/bin/cat", arguments: [], line: { _, _ in }, ended: { _ in ended.signal() })
    }

    deinit { process.send(SIGKILL) }

    var pid: Int32 { process.pid }

    var writer: StateWriter { StateWriter(pid: pid, started: nil, boot: StateWriter.own().boot) }

    /// Ends it, and waits for that.
    func kill() {
      process.send(SIGKILL)
      ended.wait()
      ended.signal()
    }
  }

  /// How long to wait for what comes at once, in seconds.
  private static let patience = 60.0

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private var directory: RecorderDirectory { RecorderDirectory(ControlPlace(folder: folder.path)) }

  /// - Parameter name: the recorder's; without `file`, its state file is called after it.
  private func write(
    _ name: String, _ writer: StateWriter = .own(), file: String? = nil, film: String? = nil, socket: String? = nil,
    monitor: String? = nil, phase: RecorderState.Phase = .recording, isOver: Bool = false
  ) throws {
    var state = RecorderState(phase: phase)
    state.film = film
    if !isOver { state.started = Date() }
    let record = StateRecord(camrec: "1", name: name, writer: writer, state: state, socket: socket, monitor: monitor)
    try StateFile(path: path((file ?? name) + StateFile.suffix)).write(record)
  }

  private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  @Test func monitorSocket_isThatOfTheStateFile() throws {
    try write("back")
    try write("front", monitor: path("front.monitor"))
    #expect(directory.running.map(\.monitor) == [nil, path("front.monitor")])
  }

  @Test func stateFile_appears_isReplaced_andDisappears() throws {
    let directory = directory
    #expect(directory.recorders.isEmpty && directory.running.isEmpty)
    try write("front", film: "/films/a.mov")
    #expect(directory.recorders.map(\.record.state.film) == ["/films/a.mov"])
    #expect(directory.running.map(\.name) == ["front"])
    #expect(directory.running.first?.stateFile == path("front.state.json"))
    for number in 0..<5 { try write("front", film: "/films/\(number).mov") }
    #expect(directory.recorders.map(\.record.state.film) == ["/films/4.mov"])
    try write("front", phase: .ended)
    #expect(directory.recorders.map(\.health) == [.ended] && directory.running.isEmpty)
    try remove("front.state.json")
    #expect(directory.recorders.isEmpty)
  }

  @Test func whatWasThereBefore_isThere_runningOnesFirst() throws {
    try write("b")
    try write("a")
    try write("z", phase: .ended)
    let idler = try Idler()
    idler.kill()
    try write("y", idler.writer)
    let directory = directory
    #expect(directory.recorders.map(\.record.name) == ["a", "b", "y", "z"])
    #expect(directory.recorders.map(\.isAlive) == [true, true, false, false])
    #expect(directory.recorders.suffix(2).map(\.health) == [.gone, .ended])
    #expect(directory.running.map(\.name) == ["a", "b"])
    #expect(directory.names(of: \.isAlive) == ["a", "b"])
  }

  @Test func otherFiles_areLeftOut_untilTheyAreStateFiles() throws {
    let directory = directory
    for name in ["notes.txt", ".hidden.state.json", "broken.state.json"] {
      try Data("{}".utf8).write(to: URL(fileURLWithPath: path(name)))
    }
    try FileManager.default.createDirectory(atPath: path("folder.state.json"), withIntermediateDirectories: true)
    #expect(directory.recorders.isEmpty && directory.running.isEmpty)
    try remove("broken.state.json")
    try write("broken")
    #expect(directory.recorders.map(\.record.name) == ["broken"])
    // In place, which no recorder does.
    try Data("{}".utf8).write(to: URL(fileURLWithPath: path("broken.state.json")))
    #expect(directory.recorders.isEmpty)
  }

  @Test func processThatIsKilled_departs() throws {
    let directory = directory, changes = try directory.changes(), idler = try Idler()
    try write("front", idler.writer)
    let recorder = try #require(directory.running.first)
    #expect(recorder.pid == idler.pid)
    #expect(changes.next(within: Self.patience) == .arrived(recorder))
    // Only its end wakes this: its files stay as they are.
    let killer = WorkThread(name: "killer") { idler.kill() }
    #expect(changes.next(within: Self.patience) == .departed(recorder))
    killer.join()
    #expect(directory.running.isEmpty && directory.recorders.map(\.health) == [.gone])
    #expect(changes.next(within: 0) == nil)
  }

  @Test func deathIsNoticed_byWhoOnlyAsks() throws {
    let directory = directory, idler = try Idler()
    try write("front", idler.writer)
    #expect(directory.running.count == 1)
    idler.kill()
    #expect(directory.running.isEmpty && directory.recorders.count == 1)
  }

  @Test func anotherProcessWithTheSameFiles_isAnotherRecorder() throws {
    let directory = directory, changes = try directory.changes(), (one, other) = (try Idler(), try Idler())
    try write("front", one.writer, socket: path("front.sock"))
    let first = try #require(directory.running.first)
    #expect(changes.next(within: Self.patience) == .arrived(first))
    one.kill()
    try write("front", other.writer, socket: path("front.sock"))
    let second = try #require(directory.running.first)
    #expect(second.pid == other.pid && second.name == first.name)
    #expect(changes.next(within: Self.patience) == .departed(first))
    #expect(changes.next(within: Self.patience) == .arrived(second))
  }

  @Test func namesCollide_andBothAreThere() throws {
    let directory = directory, changes = try directory.changes()
    try write("front", file: "1")
    try write("front", file: "2")
    #expect(Set(directory.named("front").map(\.path)) == [path("1.state.json"), path("2.state.json")])
    #expect(directory.names(of: { _ in true }) == ["front"])
    let told = (0..<2).compactMap { _ in changes.next(within: Self.patience) }
    #expect(Set(told) == Set(directory.running.map(RecorderChanges.Change.arrived)) && told.count == 2)
    try remove("1.state.json")
    #expect(directory.named("front").map(\.path) == [path("2.state.json")])
  }

  /// Two simulated cameras have one name: to choose by it does not help.
  @Test(arguments: [
    (["back", "front"], false, "--name NAME"), (["sim", "sim"], true, "--monitor PATH"),
    (["back", "sim", "sim"], true, "--name NAME or --monitor PATH"),
  ])
  func severalMonitors_areChosenByWhatTellsThemApart(names: [String], hasPaths: Bool, choice: String) throws {
    var list: [String] = []
    for (number, name) in names.enumerated() {
      let monitor = path("\(number).monitor")
      try write(name, file: "\(number)", socket: path("\(number).sock"), monitor: monitor)
      list.append("\(name) (process \(StateWriter.own().pid))" + (hasPaths ? " at \(monitor)" : ""))
    }
    let directory = directory
    let failure = #expect(throws: CamrecError.self) { try directory.monitor() }
    let all = list.joined(separator: ", ")
    #expect(failure?.code == .usage)
    #expect(failure?.message == "\(names.count) recorders are running: \(all); choose one with \(choice)")
  }

  @Test func whoHasNoMonitor_isNotToBeChosen() throws {
    for (number, name) in ["front", "back"].enumerated() {
      try write(name, file: "\(number)", monitor: path("\(number).monitor"))
    }
    try write("blind", socket: path("blind.sock"))
    let several = #expect(throws: CamrecError.self) { try directory.monitor() }
    let process = "(process \(StateWriter.own().pid))"
    #expect(
      several?.message
        == "2 recorders with a monitor socket are running: back \(process), front \(process); choose one with --name "
          + "NAME")
    try remove("0.state.json")
    // Nobody listens there.
    let one = #expect(throws: CamrecError.self) { try directory.monitor() }
    #expect(one?.message.contains(path("1.monitor")) == true, "\(one?.message ?? "")")
  }

  @Test func whereNobodyHasAMonitor_noneIsBlamedAlone() throws {
    try write("back")
    let one = #expect(throws: CamrecError.self) { try directory.monitor() }
    let process = "(process \(StateWriter.own().pid))"
    #expect(one?.message == "the recorder back \(process) has no monitor socket; restart it with one")
    try write("front", socket: path("front.sock"))
    let none = #expect(throws: CamrecError.self) { try directory.monitor() }
    #expect(none?.code == .usage)
    #expect(none?.message == "none of 2 recorders has a monitor socket; restart one with it")
  }

  @Test func folderThatAppearsLater_isFound() throws {
    let below = path("run/user/camrec")
    let directory = RecorderDirectory(ControlPlace(folder: below)), changes = try directory.changes()
    #expect(directory.running.isEmpty)
    let maker = WorkThread(name: "maker") {
      try? FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
      let record = StateRecord(camrec: "1", name: "late", writer: .own(), state: RecorderState(phase: .standby))
      try? StateFile(path: below + "/late.state.json").write(record)
    }
    let told = changes.next(within: Self.patience)
    maker.join()
    #expect(told == directory.running.first.map(RecorderChanges.Change.arrived) && told != nil)
    // All of it goes, and comes again.
    try remove("run")
    #expect(directory.recorders.isEmpty)
    for step in ["run", "run/user", "run/user/camrec"] {
      try FileManager.default.createDirectory(atPath: path(step), withIntermediateDirectories: false)
      #expect(directory.recorders.isEmpty)
    }
    try write("again", file: "run/user/camrec/again")
    #expect(directory.recorders.map(\.record.name) == ["again"])
    try FileManager.default.moveItem(atPath: below, toPath: path("run/user/other"))
    #expect(directory.recorders.isEmpty)
    try FileManager.default.moveItem(atPath: path("run/user/other"), toPath: below)
    #expect(directory.recorders.map(\.record.name) == ["again"])
  }

  @Test func instancesOfAService_haveFoldersOfTheirOwn() throws {
    let directory = RecorderDirectory(ControlPlace(folder: folder.path, instances: true))
    try write("root")
    #expect(directory.recorders.count == 1)
    for name in ["front", "back"] {
      try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
      try write(name, file: "\(name)/camera")
    }
    #expect(directory.recorders.map(\.record.name) == ["back", "front", "root"])
    try remove("front")
    #expect(directory.recorders.map(\.record.name) == ["back", "root"])
  }

  @Test func moreChangesThanTheKernelKeeps_loseNothing() throws {
    let directory = directory
    try write("first")
    #expect(directory.recorders.count == 1)
    let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let limit = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    // Each is more than one change, and none is like the one before.
    for number in 0...limit {
      let path = path("\(number).tmp")
      close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
      unlink(path)
    }
    try remove("first.state.json")
    try write("second")
    #expect(directory.recorders.map(\.record.name) == ["second"])
    try write("third")
    #expect(directory.recorders.map(\.record.name) == ["second", "third"], "and it goes on")
  }

  /// Whoever waits is told of what another reader has seen before.
  @Test func changesAreTold_whoeverReadsBeside() throws {
    let directory = directory, changes = try directory.changes(), isOver = Mutex(false)
    let reader = WorkThread(name: "reader") {
      while !isOver.withLock({ $0 }) { _ = directory.running }
    }
    for number in 0..<100 {
      try write("\(number)")
      guard case .arrived(let recorder)? = changes.next(within: Self.patience) else {
        Issue.record("\(number) has not arrived")
        break
      }
      #expect(recorder.name == "\(number)")
      try remove("\(number).state.json")
      #expect(changes.next(within: Self.patience) == .departed(recorder))
    }
    isOver.withLock { $0 = true }
    reader.join()
  }

  @Test func end_endsAWait() throws {
    let changes = try directory.changes()
    let ender = WorkThread(name: "ender") { changes.end() }
    #expect(changes.next() == nil && changes.next() == nil)
    ender.join()
  }

  /// A recorder that keeps no state file, and one whose state file comes behind its socket.
  @Test func socketsAlone_areRecorders() throws {
    let directory = directory, changes = try directory.changes(), (one, other) = (try Idler(), try Idler())
    // Only the names count here.
    for name in ["\(one.pid).sock", "front.sock", "\(Int32.max).sock", ".9.sock"] {
      try Data().write(to: URL(fileURLWithPath: path(name)))
    }
    let running = directory.running
    #expect(running.map(\.name) == ["\(one.pid)", "front"] && running.map(\.pid) == [one.pid, nil])
    #expect(running.map(\.socket) == [path("\(one.pid).sock"), path("front.sock")])
    #expect(running.allSatisfy { $0.stateFile == nil } && directory.recorders.isEmpty)
    let told = (0..<2).compactMap { _ in changes.next(within: Self.patience) }
    #expect(Set(told) == Set(running.map(RecorderChanges.Change.arrived)))
    try write("front", other.writer, socket: path("front.sock"))
    let known = try #require(directory.running.first { $0.name == "front" })
    #expect(known.pid == other.pid && changes.next(within: Self.patience) == .changed(known))
    one.kill()
    #expect(changes.next(within: Self.patience) == .departed(running[0]))
    // Its socket stays behind, and is no recorder without it.
    other.kill()
    #expect(changes.next(within: Self.patience) == .departed(known))
    #expect(directory.running.isEmpty)
  }

  @Test func filmsBeingRecorded_areToldFromOthers() throws {
    let directory = directory, idler = try Idler()
    for name in ["a.mov", "b.mov"] { try Data("film".utf8).write(to: URL(fileURLWithPath: path(name))) }
    try FileManager.default.linkItem(atPath: path("a.mov"), toPath: path("link.mov"))
    #expect(!directory.isRecording(path("a.mov")))
    try write("front", idler.writer, film: path("a.mov"))
    #expect(directory.isRecording(path("a.mov")) && directory.isRecording(path("link.mov")))
    #expect(!directory.isRecording(path("b.mov")) && !directory.isRecording(path("none.mov")))
    try write("front", idler.writer, film: path("b.mov"))
    #expect(directory.isRecording(path("b.mov")) && !directory.isRecording(path("a.mov")))
    // Between two films the state names the last one, which may still be being finished.
    for phase in [RecorderState.Phase.standby, .waiting, .starting] {
      try write("front", idler.writer, film: path("b.mov"), phase: phase, isOver: true)
      #expect(!directory.isRecording(path("b.mov")), "\(phase)")
      try write("front", idler.writer, film: path("b.mov"), phase: phase)
      #expect(directory.isRecording(path("b.mov")), "\(phase)")
    }
    idler.kill()
    #expect(!directory.isRecording(path("b.mov")))
  }
}
