import ControlCodec
import ControlSocket
import Foundation
import Frames
import Platform
import Recorder
import RecorderAPI
import RecorderRemote
import RecorderTestKit
import Testing
import TestKit

/// What a remote hears from recorders that are not there, not one, or not what they should be.
@Suite struct ControlClientTests {
  let room: SocketRoom

  init() throws { room = try SocketRoom() }

  private var directory: RecorderDirectory { RecorderDirectory(ControlPlace(folder: room.folder)) }

  private func failure(_ body: () throws -> some Any) -> CamrecError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? CamrecError
    }
  }

  @Test func nobody_isNamed() {
    let failure = failure { try ControlClient(path: room.path()) }
    #expect(failure?.code == .device && failure?.cause == "connect: No such file or directory")
    #expect(
      failure?.message
        == "no recorder answers at '\(room.path())'; start one, or name the control socket of a running one")
  }

  /// Root may connect to every socket, so no real one refuses it.
  @Test func whoMayNotConnect_isToldSo() {
    let error = SocketCall.Failure(name: "connect", number: EACCES).refusal(at: "/run/1.sock", of: "control socket")
    #expect(error.code == .device && error.cause == "connect: Permission denied")
    #expect(
      error.message
        == "you may not connect to the control socket '/run/1.sock'; its owner and the members of its group may")
  }

  @Test func recorderThatAcceptsNobody_isNotCalledGone() {
    let error = SocketCall.Failure(name: "connect", number: EAGAIN).refusal(at: "/run/1.sock", of: "control socket")
    #expect(error.message == "the recorder at '/run/1.sock' accepts no connection; look at 'camrec status'")
  }

  /// Greets one remote with the first line, waits for what it asks, says the rest, and goes.
  private func pretend(_ name: String, _ lines: [String]) throws {
    let listener = try RawRemote(boundTo: room.path(name))
    listener.listen()
    nonisolated(unsafe) let pretender = listener
    Thread.detachNewThread {
      let remote = pretender.accept()
      lines.prefix(1).forEach(remote.send)
      _ = remote.line()
      lines.dropFirst().forEach(remote.send)
    }
  }

  @Test func otherVersion_isRefused() throws {
    try pretend("1.sock", ["{\"camrec\":\"9.0.0\",\"pid\":1,\"protocol\":2}\n"])
    let failure = failure { try ControlClient(path: room.path()) }
    #expect(
      failure?.message
        == "the recorder at '\(room.path())' speaks version 2 of the protocol, but this camrec speaks version 1; "
        + "use the camrec that it was started with")
  }

  @Test(arguments: ["SSH-2.0-OpenSSH\n", "[]\n", "\u{0}\n"])
  func otherProgram_isRefused(_ line: String) throws {
    try pretend("1.sock", [line])
    let failure = failure { try ControlClient(path: room.path()) }
    #expect(failure?.code == .device)
    #expect(failure?.message.contains("cannot read the recorder's answer") == true)
  }

  @Test func recorderThatEnds_isNoAnswer() throws {
    try pretend("1.sock", [#"{"camrec":"1","pid":5,"protocol":1}"# + "\n"])
    let client = try ControlClient(path: room.path())
    #expect(client.pid == 5)
    let failure = failure { try client.perform(ControlRequest(.state)) }
    #expect(failure?.code == .device)
    #expect(failure?.message == "the recorder at '\(room.path())' did not answer: it has ended or hangs")
  }

  private static let greeting = #"{"camrec":"1","pid":5,"protocol":1}"# + "\n"

  /// Greets one remote, and then hears all that it says, without a word.
  ///
  /// - Parameter answer: what the remote hears once another one has come, which is greeted as well; `nil`: no other is
  ///   let in.
  private func pretendToHang(_ answer: String? = nil) throws {
    let listener = try RawRemote(boundTo: room.path())
    listener.listen()
    nonisolated(unsafe) let pretender = listener
    Thread.detachNewThread {
      let remote = pretender.accept()
      if answer == nil { pretender.close() }
      remote.send(ControlClientTests.greeting)
      if let answer {
        let other = pretender.accept()
        remote.send(answer)
        other.send(ControlClientTests.greeting)
        while other.line() != nil {}
      }
      while remote.line() != nil {}
    }
  }

  @Test(arguments: [ControlWord.state, .lock, .start, .stop])
  func recorderThatNeverAnswers_isNotWaitedForForEver(_ word: ControlWord) throws {
    try pretendToHang()
    let client = try ControlClient(path: room.path(), silence: 0.05)
    let failure = failure { try client.perform(ControlRequest(word)) }
    #expect(failure?.code == .device)
    let message = try #require(failure?.message)
    #expect(message.hasPrefix("the recorder at '\(room.path())' has not answered '\(word.rawValue)' for "))
    #expect(message.hasSuffix(" if the recorder hangs, end it with 'kill -KILL 5'"))
  }

  /// A lock waits for the start of another remote.
  @Test(arguments: [ControlWord.start, .lock])
  func longCommand_isWaitedFor_whileTheRecorderGreets(_ word: ControlWord) throws {
    let answer = ControlMessage.answer(RecorderState(phase: .recording), id: nil)
    try pretendToHang(String(decoding: answer.line, as: UTF8.self))
    let client = try ControlClient(path: room.path(), silence: 0.05)
    #expect(try client.perform(ControlRequest(word)).phase == .recording)
  }

  @Test func newerMembers_areNoHindrance() throws {
    let answer = ControlMessage.answer(RecorderState(phase: .standby), id: nil)
    let state = String(decoding: answer.line, as: UTF8.self)
    try pretend("1.sock", [
      "{\"camrec\":\"1\",\"features\":[1],\"pid\":5,\"protocol\":1}\n", "{\"event\":\"weather\",\"rain\":true}\n",
      state.replacingOccurrences(of: "{\"ok\"", with: "{\"new\":{},\"ok\""),
    ])
    #expect(try ControlClient(path: room.path()).perform(ControlRequest(.state)).phase == .standby)
  }

  @Test func oneRecorder_isFound_amongWhatIsLeftBehind() throws {
    for name in ["1.sock", "3.sock"] { try RawRemote(boundTo: room.path(name)).close() }
    try Data().write(to: URL(fileURLWithPath: room.path("notes.txt")))
    let server = try room.open("2.sock")
    defer { server.close() }
    #expect(try directory.connect().path == room.path("2.sock"))
  }

  @Test func none_isSaid() throws {
    try RawRemote(boundTo: room.path()).close()
    let failure = failure { try directory.connect() }
    #expect(failure?.code == .device)
    #expect(
      failure?.message
        == "found no running recorder with a control socket; start camrec, or name the socket with --socket"
    )
  }

  @Test func several_areListedWithTheirFilms() throws {
    let recorder = ScriptedRecorder()
    recorder.state.film = "/films/a.mov"
    let servers = [try room.open("1.sock", recorder), try room.open("2.sock")]
    defer { servers.forEach { $0.close() } }
    let failure = failure { try directory.connect() }
    #expect(failure?.code == .usage)
    #expect(
      failure?.message
        == "2 recorders are running; choose one with --name NAME or --socket PATH: \(room.path("1.sock")) "
        + "(/films/a.mov), \(room.path("2.sock")) (no film)")
  }

  @Test func ofOneName_areListedWithTheirProcesses_andFoundByTheirSockets() throws {
    let servers = [try room.open("1.sock"), try room.open("2.sock")]
    defer { servers.forEach { $0.close() } }
    for name in ["1", "2"] {
      let record = StateRecord(
        camrec: "1", name: "front", writer: .own(), state: RecorderState(phase: .standby),
        socket: room.path("\(name).sock"))
      try StateFile(path: room.path("\(name).state.json")).write(record)
    }
    let failure = failure { try directory.connect(to: "front") }
    #expect(failure?.code == .usage)
    let message = try #require(failure?.message)
    #expect(message.hasPrefix("2 running recorders are called 'front'; choose one with --socket: "))
    for server in servers { #expect(message.contains("\(server.path) (process \(getpid()))")) }
    #expect(try directory.connect(to: "1").path == room.path("1.sock"))
    #expect(
      self.failure { try directory.connect(to: "back") }?.message
        == "no running recorder is called 'back'; running: front")
    let closed = StateRecord(camrec: "1", name: "closed", writer: .own(), state: RecorderState(phase: .standby))
    try StateFile(path: room.path("3.state.json")).write(closed)
    #expect(
      self.failure { try directory.connect(to: "closed") }?.message
        == "no running recorder called 'closed' has a control socket")
  }

  @Test func oneWhoseStateFileIsElsewhere_isFoundByTheNameThatItSays() throws {
    try RawRemote(boundTo: room.path("1.sock")).close()
    let servers = [try room.open("2.sock"), try room.open("3.sock", called: "back")]
    defer { servers.forEach { $0.close() } }
    #expect(try directory.connect(to: "back").path == room.path("3.sock"))
    #expect(
      failure { try directory.connect(to: "front") }?.message
        == "no running recorder is called 'front'")
  }

  @Test func place_isTheUsersTheServicesOrRoots() {
    func socket(_ environment: [String: String], isRoot: Bool = false) -> String? {
      ControlPlace(environment: environment, isRoot: isRoot).socket(pid: 9)
    }
    #expect(socket(["XDG_RUNTIME_DIR": "/run/user/7", "RUNTIME_DIRECTORY": "/run/rig"]) == "/run/user/7/camrec/9.sock")
    #expect(socket(["RUNTIME_DIRECTORY": "/run/rig:/run/other"]) == "/run/rig/9.sock")
    #expect(socket(["XDG_RUNTIME_DIR": "", "RUNTIME_DIRECTORY": ""], isRoot: true) == "/run/camrec/9.sock")
    #expect(socket(["XDG_RUNTIME_DIR": "relative"]) == nil)
  }
}
