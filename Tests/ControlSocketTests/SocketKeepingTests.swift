import ControlSocket
import Foundation
import Frames
import Platform
import Recorder
import RecorderRemote
import RecorderTestKit
import Synchronization
import Testing
import TestKit

/// A control socket that cannot be made is tried again, and holds up nobody.
@Suite struct SocketKeepingTests {
  let room: SocketRoom

  init() throws { room = try SocketRoom() }

  private final class Notes: Sendable {
    let all = Mutex<[SocketKeeping.Note]>([])
    var count: Int { all.withLock { $0.count } }
  }

  private func keep(_ notes: Notes, at path: String? = nil) -> SocketKeeping {
    SocketKeeping(
      path: path ?? room.path(),
      open: { (path) throws(CamrecError) in
        try ControlServer.open(path: path, control: ScriptedRecorder(), camrec: "1")
      },
      say: { note in notes.all.withLock { $0.append(note) } })
  }

  @Test func whatIsInItsPlace_isSaidOnce_andTheSocketComesWhenItIsGone() throws {
    try Data("film".utf8).write(to: URL(fileURLWithPath: room.path()))
    let notes = Notes(), keeping = keep(notes)
    defer { keeping.close() }
    #expect(keeping.openPath == nil)
    let sentence =
      "'\(room.path())' exists and is not a socket; choose another path for --control, or set --control none"
    #expect(SocketRoom.eventually { keeping.tries.failed >= 2 })
    #expect(notes.all.withLock { $0 } == [.missing(CamrecError(.output, sentence))], "and it is tried on")
    #expect(!keeping.tries.isOver)
    #expect(try Data(contentsOf: URL(fileURLWithPath: room.path())) == Data("film".utf8))
    try FileManager.default.removeItem(atPath: room.path())
    #expect(SocketRoom.eventually { (try? ControlClient(path: room.path()))?.pid == getpid() })
    #expect(SocketRoom.eventually { notes.count == 2 })
    #expect(notes.all.withLock { $0.last } == .found)
    #expect(keeping.openPath == room.path())
  }

  @Test func pathThatIsTooLong_isNotTriedAgain() {
    let notes = Notes(), path = room.path(String(repeating: "x", count: 200))
    let keeping = keep(notes, at: path)
    defer { keeping.close() }
    #expect(SocketRoom.eventually { notes.count == 1 })
    guard case .missing(let error)? = notes.all.withLock({ $0.first }) else { Issue.record("\(notes)"); return }
    #expect(error.code == .usage && keeping.openPath == nil)
    #expect(SocketRoom.eventually { keeping.tries.isOver } && keeping.tries.failed == 1)
  }

  /// Nothing was said to be missing; a program that has begun without the socket learns of it all the same.
  @Test func socketForWhichTheStartDoesNotWait_isSaid() throws {
    // Its maker waits for the folder, for longer than the start does, and then does without the lock.
    let folder = try #require(try FolderLock(folderOf: room.path()))
    defer { withExtendedLifetime(folder) {} }
    let notes = Notes(), keeping = keep(notes), isMissed = keeping.openPath == nil
    defer { keeping.close() }
    #expect(SocketRoom.eventually { keeping.openPath != nil && keeping.tries.isOver })
    #expect(notes.all.withLock { $0 } == (isMissed ? [.found] : []))
  }

  @Test func secondOfAName_hasThePlaceWhenTheFirstIsGone() throws {
    let first = try room.open(), notes = Notes(), second = keep(notes)
    defer { second.close() }
    #expect(SocketRoom.eventually { notes.count == 1 })
    first.close()
    #expect(SocketRoom.eventually { notes.count == 2 })
    #expect(try ControlClient(path: room.path()).pid == getpid())
  }

  @Test func end_removesTheSocket_andEndsTheTrying() throws {
    let notes = Notes()
    let keeping = keep(notes)
    #expect(room.exists(room.path()) && notes.count == 0)
    keeping.close()
    #expect(!room.exists(room.path()))
    let hopeless = keep(Notes(), at: room.path("no/such/1.sock"))
    #expect(!hopeless.tries.isOver)
    hopeless.close()
    hopeless.close()
    #expect(SocketRoom.eventually { hopeless.tries.isOver })
  }

  /// Each removes what it takes for left behind; none may take away what another has just made.
  @Test func manyThatFindAStaleSocket_agreeOnOne() throws {
    for round in 0..<40 {
      let path = room.path("\(round).sock")
      try RawRemote(boundTo: path).close()
      let servers = Mutex<[ControlServer]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        guard let server = try? ControlServer.open(path: path, control: ScriptedRecorder(), camrec: "1") else { return }
        servers.withLock { $0.append(server) }
      }
      let open = servers.withLock { $0 }
      #expect(open.count == 1, "round \(round)")
      #expect((try? ControlClient(path: path)) != nil, "round \(round): the one is reached")
      open.forEach { $0.close() }
    }
  }
}
