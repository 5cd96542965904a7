import ControlCodec
import ControlSocket
import Foundation
import Frames
import Recorder
import RecorderAPI
import RecorderRemote
import RecorderTestKit
import Synchronization
import Testing
import TestKit

/// Many watchers at a time, some of which do what they should not.
@Suite struct WatcherTests {
  let room: SocketRoom
  let recorder = ScriptedRecorder()

  init() throws { room = try SocketRoom() }

  private static let watch = "{\"do\":\"watch\",\"id\":1}\n"
  private static let watchChanges = "{\"changes\":true,\"do\":\"watch\",\"id\":1}\n"

  /// A remote that has been told the state.
  private func watcher(_ server: ControlServer, _ request: String = watch) throws -> RawRemote {
    let remote = try RawRemote(connectedTo: server.path)
    #expect(remote.line()?.hasPrefix(#"{"camrec":"#) == true)
    remote.send(request)
    #expect(remote.line()?.contains(#""ok":true"#) == true)
    return remote
  }

  private func change(_ films: Int) {
    recorder.state.films = films
    recorder.changes.ring()
  }

  private func message(_ remote: RawRemote) throws -> ControlMessage {
    try ControlMessage(line: Array(try #require(remote.line()).utf8))
  }

  /// Reads until it is told of so many films.
  private func reads(_ remote: RawRemote, films: Int) throws -> ControlMessage {
    while true {
      let message = try message(remote)
      if (message.state?.films ?? message.changes?.values.films) == films { return message }
    }
  }

  @Test func sixteenWatchersAreTold_alsoOfWhatTheOwnerDoes() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let plain = try (0..<8).map { _ in try watcher(server) }
    let changes = try (0..<7).map { _ in try watcher(server, WatcherTests.watchChanges) }
    let owner = try ControlClient(path: server.path)
    for films in 1...20 {
      recorder.state.films = films
      _ = try owner.perform(ControlRequest(.lock))
      for remote in plain { #expect(try reads(remote, films: films).event == "state") }
      for remote in changes { #expect(try reads(remote, films: films).generation != nil) }
    }
    #expect(recorder.asked.count == 20)
  }

  /// All places are watchers': the oldest makes room, and the others are told on.
  @Test func oldestWatcher_makesRoomForWhoComes() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let watchers = try (0..<ControlServer.places).map { _ in try watcher(server) }
    let owner = try ControlClient(path: server.path)
    #expect(try owner.perform(ControlRequest(.state)) == recorder.state)
    let said = try message(watchers[0])
    #expect(
      said.error?.message
        == "disconnected to make room: all slots were taken, and this client had been watching longest; connect again")
    #expect(watchers[0].line() == nil)
    change(1)
    for remote in watchers.dropFirst() { #expect(try reads(remote, films: 1).ok == nil) }
  }

  @Test func idleRemote_leavesBeforeAnyWatcher() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let watchers = try (0..<(ControlServer.places - 1)).map { _ in try watcher(server) }
    let idle = try RawRemote(connectedTo: server.path)
    _ = idle.line()
    _ = try ControlClient(path: server.path)
    #expect(try message(idle).error?.message.contains("idle longest") == true)
    change(1)
    for remote in watchers { #expect(try reads(remote, films: 1).ok == nil) }
  }

  @Test func deadStalledAndFlooding_holdUpNobody() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let good = [try watcher(server), try watcher(server, WatcherTests.watchChanges)]
    for request in [WatcherTests.watch, WatcherTests.watchChanges] {
      try watcher(server, request).close()
      let dying = try watcher(server, request)
      dying.send(#"{"do":"st"#)
      dying.close()
    }
    let stalled = [try watcher(server), try watcher(server, WatcherTests.watchChanges)]
    let flooding = try watcher(server, WatcherTests.watchChanges), isOver = Atomic<Bool>(false)
    let isFlooded = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let flood = flooding
    Thread.detachNewThread {
      let request = Array("{\"do\":\"state\"}\n".utf8)
      while !isOver.load(ordering: .relaxed) { if flood.send(request, atOnce: true) < 0 { usleep(1000) } }
      isFlooded.signal()
    }
    for films in 1...10 {
      // So long that those who do not read cannot have been sent all of it.
      recorder.state.failure = String(repeating: "x", count: 100_000 + films)
      change(films)
      for remote in good { #expect(try reads(remote, films: films).ok == nil) }
    }
    isOver.store(true, ordering: .relaxed)
    isFlooded.wait()
    #expect(recorder.asked == [])
    withExtendedLifetime(stalled) {}
  }

  /// A stalled watcher that reads again: what it is told fits together, and ends with the latest.
  @Test func changesAfterAGap_areWhole() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let good = try watcher(server, WatcherTests.watchChanges), stalled = try RawRemote(connectedTo: server.path)
    _ = stalled.line()
    stalled.send(WatcherTests.watchChanges)
    var known = try message(stalled).update
    #expect(known?.isWhole == true)
    // More than the socket holds.
    let last = 10
    for films in 1...last {
      recorder.state.failure = String(repeating: "x", count: 100_000 + films)
      change(films)
      _ = try reads(good, films: films)
    }
    var gaps = 0
    while known?.values.films != last {
      let update = try #require(try message(stalled).update), before = try #require(known)
      if update.isWhole {
        gaps += 1
        #expect(update.generation > before.generation + 1, "only after a gap")
      }
      let after: StateUpdate = try #require(update.applied(to: before), "changes follow what was told before")
      known = after
    }
    #expect(gaps >= 1 && known?.values == recorder.state)
    // From here on it is told changes again.
    change(last + 1)
    let next = try #require(try message(stalled).update)
    #expect(!next.isWhole && next.members == [.films])
  }

  @Test func watcher_isToldTheEnd() throws {
    let server = try room.open("1.sock", recorder)
    let remotes = [try watcher(server), try watcher(server, WatcherTests.watchChanges)]
    recorder.state.phase = .ended
    server.close()
    for remote in remotes {
      let last = try message(remote)
      #expect((last.state?.phase ?? last.changes?.values.phase) == .ended)
      #expect(remote.line() == nil)
    }
  }
}
