import ControlSocket
import Foundation
import Frames
import Recorder
import RecorderRemote
import RecorderTestKit
import Testing
import TestKit

/// The socket's file: who may use it, what it replaces, and that it goes.
@Suite struct SocketFileTests {
  let room: SocketRoom

  init() throws { room = try SocketRoom() }

  @Test(arguments: [mode_t(0), 0o022, 0o077])
  func ownerAndGroup_mayControl_whateverTheUmask(_ mask: mode_t) throws {
    let server = try FileCreationMask.with(mask) { try room.open("folder/1.sock") }
    defer { server.close() }
    #expect(try room.mode(of: server.path) == 0o660)
    #expect(try room.mode(of: room.path("folder")) == 0o750)
  }

  @Test func folderThatIsThere_staysAsItIs() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o705], ofItemAtPath: room.folder)
    try room.open().close()
    #expect(try room.mode(of: room.folder) == 0o705)
  }

  @Test func end_removesIt_once() throws {
    let server = try room.open()
    #expect(room.exists(server.path))
    server.close()
    #expect(!room.exists(server.path))
    let next = try room.open()
    defer { next.close() }
    server.close()
    #expect(room.exists(next.path), "closing twice takes nothing that is another's")
  }

  @Test func socketOfADeadProcess_isReplaced() throws {
    let dead = try RawRemote(boundTo: room.path())
    dead.listen()
    dead.close()
    let server = try room.open()
    defer { server.close() }
    #expect(try ControlClient(path: server.path).pid == getpid())
  }

  @Test func socketOfARunningRecorder_isRefused() throws {
    let server = try room.open()
    defer { server.close() }
    let sentence =
      "'\(room.path())' is the control socket of a running recorder; choose another path for --control, or set "
        + "--control none"
    #expect(throws: CamrecError(.output, sentence)) { try room.open() }
    #expect(try ControlClient(path: server.path).pid == getpid(), "and stays")
  }

  @Test func fileThatIsNoSocket_isLeftAlone() throws {
    try Data("film".utf8).write(to: URL(fileURLWithPath: room.path()))
    let sentence =
      "'\(room.path())' exists and is not a socket; choose another path for --control, or set --control none"
    #expect(throws: CamrecError(.output, sentence)) { try room.open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: room.path())) == Data("film".utf8))
  }

  @Test func folderThatCannotBe_isRefusedWithTheReason() throws {
    let path = room.path("no/such/1.sock")
    #expect(
      throws: CamrecError(
        .output, "cannot create the control socket '\(path)'; choose another path for --control, or set --control none",
        cause: "bind: No such file or directory")
    ) { try room.open("no/such/1.sock") }
  }

  @Test func pathBeyondTheLimit_isRefused() throws {
    let path = "/tmp/" + String(repeating: "a", count: 103)
    let refusal = CamrecError(.usage, "the path of a socket must have 1 to 107 bytes; '\(path)' has 108")
    #expect(throws: refusal) { try ControlServer.open(path: path, control: ScriptedRecorder(), camrec: "1") }
    #expect(throws: refusal) { try ControlClient(path: path) }
    let longest = room.path(String(repeating: "b", count: 107 - room.path("").utf8.count))
    let server = try ControlServer.open(path: longest, control: ScriptedRecorder(), camrec: "1")
    #expect(try ControlClient(path: longest).pid == getpid())
    server.close()
  }
}
