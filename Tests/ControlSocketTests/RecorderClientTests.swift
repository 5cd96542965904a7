import ControlCodec
import ControlSocket
import Foundation
import Frames
import Platform
import Recorder
import RecorderAPI
import RecorderRemote
import RecorderTestKit
import Synchronization
import Testing
import TestKit

/// A client and a server over a real socket: controls, updates, and requests beside one another.
@Suite struct RecorderClientTests {
  let room: SocketRoom
  let recorder = ScriptedRecorder()

  init() throws { room = try SocketRoom() }

  private func change(_ films: Int) {
    recorder.state.films = films
    recorder.changes.ring()
  }

  /// Reads until it is told of so many films.
  private func reads(_ updates: any RecorderUpdates, films: Int) throws -> StateUpdate {
    while true {
      let update = try #require(try updates.next())
      if update.members.contains(.films), update.values.films == films { return update }
    }
  }

  @Test func controls_arriveAsTheyAre() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    var zoom = ControlDescription("zoom", .number, request: ["do": "set", "name": "zoom"])
    (zoom.minimum, zoom.maximum, zoom.step, zoom.unit) = (1, 4, 0.25, "×")
    (zoom.value, zoom.defaultValue, zoom.refusal) = (.number(1.5), .number(1), "another control rules it")
    var lock = ControlDescription("lock", .choice, request: [:], member: "do")
    (lock.choices, lock.value, lock.needsNewFilm) = (["lock", "unlock"], .text("unlock"), true)
    var torch = ControlDescription("torch", .flag)
    (torch.value, torch.isReadOnly) = (.flag(true), true)
    recorder.offer([zoom, lock, torch])
    let client: any RecorderClient = try ControlClient(path: server.path)
    #expect(try client.controls() == [zoom, lock, torch])
    _ = try client.perform(lock.request(setting: .text("lock")))
    _ = try client.perform(zoom.request(setting: .number(2)))
    #expect(recorder.asked == [.exposure(.lock(true)), .control(name: "zoom", value: "2")])
    #expect(throws: CamrecError(.usage, "torch can only be read")) { try torch.request(setting: .flag(false)) }
    let refusal = CamrecError(.device, "the camera was unplugged")
    recorder.fail(with: refusal)
    #expect(throws: refusal) { try client.controls() }
  }

  @Test func wholeState_hasWhatVersion1DoesNotHave() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    recorder.state.phase = .waiting
    recorder.state.continuationFailure = "there is no room"
    recorder.state.startFailure = "the disk is full"
    recorder.state.unsavedSeconds = 0.5
    recorder.state.lossBound = 1
    recorder.state.exposure = FullState.make().exposure
    let client = try ControlClient(path: server.path)
    let first = try client.perform(ControlRequest(.state))
    #expect(first.continuationFailure == nil && first.cameraFailure == "there is no room", "it has one for both")
    #expect(first.startFailure == nil && first.failure == "the disk is full")
    #expect(first.unsavedSeconds == nil && first.lossBound == nil && first.exposure?.isMissingEVLowerBound == nil)
    let whole = try client.wholeState()
    #expect(whole.continuationFailure == "there is no room" && whole.phase == .waiting)
    #expect(whole.startFailure == "the disk is full" && whole.failure == nil && whole.cameraFailure == nil)
    #expect(whole.unsavedSeconds == 0.5 && whole.lossBound == 1 && whole.exposure?.isMissingEVLowerBound == true)
  }

  @Test func updates_beginWithAWholeState_andGoOnWithChanges() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let client = try ControlClient(path: server.path), updates = try client.updates(after: nil)
    var known = try #require(try updates.next())
    #expect(known.isWhole && known.values == recorder.state)
    for films in 1...5 {
      change(films)
      let update = try reads(updates, films: films)
      #expect(!update.isWhole && update.members == [.films])
      let whole = update.applied(to: known)
      known = try #require(whole)
    }
    #expect(known.values == recorder.state)
    // Whoever has this state is told of the next one.
    let others = try client.updates(after: known.generation)
    change(6)
    let next = try #require(try others.next())
    #expect(!next.isWhole && next.values.films == 6 && next.generation == known.generation + 1)
    others.end()
    #expect(try others.next() == nil)
    #expect(try reads(updates, films: 6).members == [.films], "the other reader goes on")
  }

  @Test func aSlowReader_isToldTheWholeState() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let client = try ControlClient(path: server.path)
    let (quick, slow) = (try client.updates(after: nil), try client.updates(after: nil))
    let first = try #require(try slow.next())
    for films in 1...9 {
      change(films)
      _ = try reads(quick, films: films)
    }
    let update = try #require(try slow.next())
    #expect(update.isWhole && update.values.films == 9 && update.generation > first.generation + 1)
    change(10)
    #expect(try reads(slow, films: 10).members == [.films], "and changes again")
  }

  @Test func readersThatHaveGone_areNotToldAnything_andMayComeAgain() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let client = try ControlClient(path: server.path)
    let first = try #require(try client.updates(after: nil).next())
    change(1)
    let updates = try client.updates(after: first.generation)
    let next = try #require(try updates.next())
    #expect(next.values.films == 1 && next.generation > first.generation)
  }

  @Test func aSlowRequest_holdsUpNothingElse() throws {
    let gate = Gate()
    let recorder = ScriptedRecorder { if $0 == .start { gate.pass() } }
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let client = try ControlClient(path: server.path), updates = try client.updates(after: nil)
    _ = try updates.next()
    gate.close()
    let isStarted = Mutex(false)
    let starter = WorkThread(name: "starter") {
      _ = try? client.perform(ControlRequest(.start))
      isStarted.withLock { $0 = true }
    }
    gate.awaitSomebody()
    #expect(try client.perform(ControlRequest(.lock)) == recorder.state)
    #expect(try client.controls() == [])
    recorder.state.films = 1
    recorder.changes.ring()
    #expect(try reads(updates, films: 1).members == [.films])
    #expect(!isStarted.withLock { $0 })
    gate.open()
    starter.join()
    #expect(isStarted.withLock { $0 } && recorder.asked.contains(.start))
  }

  @Test(arguments: [false, true]) func manyThreads_eachGetTheirOwnAnswers(_ saysHello: Bool) throws {
    let recorder = ScriptedRecorder { command in
      // Answers come out of order.
      if case .exposure(.iso(let iso)) = command, Int(iso) % 3 == 0 { usleep(1000) }
    }
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let client = try ControlClient(path: server.path), refused = Mutex(0)
    if saysHello { _ = try client.controls() }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 1...20 {
        // Every fourth is refused before it reaches the recorder.
        let value = number % 4 == 0 ? "0" : "\(thread * 100 + number)"
        do {
          let request = try ControlRequest(.iso, ["value": value])
          let state = try client.perform(request)
          #expect(state == recorder.state && value != "0")
        } catch {
          #expect(value == "0")
          refused.withLock { $0 += 1 }
        }
      }
    }
    #expect(refused.withLock { $0 } == 8 * 5 && recorder.asked.count == 8 * 15)
  }

  @Test func end_endsAWait() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let client = try ControlClient(path: server.path), updates = try client.updates(after: nil)
    _ = try updates.next()
    let ender = WorkThread(name: "ender") { updates.end() }
    #expect(try updates.next() == nil)
    ender.join()
  }

  @Test func theEndOfTheRecorder_isToldLast() throws {
    let server = try room.open("1.sock", recorder)
    let client = try ControlClient(path: server.path), updates = try client.updates(after: nil)
    _ = try updates.next()
    recorder.state.phase = .ended
    server.close()
    #expect(try updates.next()?.values.phase == .ended)
    #expect(try updates.next() == nil)
    #expect(throws: CamrecError.self) { try client.perform(ControlRequest(.state)) }
    // Whoever comes late is told how it ended.
    let late = try client.updates(after: nil)
    #expect(try late.next()?.values.phase == .ended)
    #expect(try late.next() == nil)
  }

  @Test func aClientThatIsGone_hasNoMoreUpdates() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    var client: ControlClient? = try ControlClient(path: server.path)
    let updates = try #require(try client?.updates(after: nil))
    _ = try updates.next()
    client = nil
    #expect(try updates.next() == nil)
  }

  /// Why the recorder has ended the connection.
  @Test func farewell_isThrown() throws {
    let listener = try RawRemote(boundTo: room.path())
    listener.listen()
    nonisolated(unsafe) let pretender = listener
    let goodbye = CamrecError(.usage, "disconnected to make room")
    Thread.detachNewThread {
      let remote = pretender.accept()
      remote.send(#"{"camrec":"9","pid":5,"protocol":1}"# + "\n")
      for _ in 0..<2 {
        guard let line = remote.line(), let id = line.firstMatch(of: /"id":(\d+)/)?.1 else { return }
        let known = #"{"camrec":"9","capabilities":["changes"],"id":\#(id),"ok":true,"pid":5,"protocol":1}"#
        let state = ControlMessage.answer(RecorderState(phase: .standby), id: .integer(Int64(id) ?? 0), generation: 1)
        remote.send(line.contains("hello") ? Array((known + "\n").utf8) : state.line)
      }
      remote.send(ControlMessage.refusal(goodbye).line)
    }
    let client = try ControlClient(path: room.path()), updates = try client.updates(after: nil)
    #expect(try updates.next()?.values.phase == .standby)
    #expect(throws: goodbye) { try updates.next() }
    #expect(throws: goodbye) { try client.perform(ControlRequest(.state)) }
  }

  /// A recorder of version 1 knows neither hello nor changes: it tells whole states, which the client counts.
  @Test func anOlderRecorder_isWatchedAsEver() throws {
    let listener = try RawRemote(boundTo: room.path())
    listener.listen()
    nonisolated(unsafe) let pretender = listener
    let asked = Mutex<[String]>([])
    Thread.detachNewThread {
      let remote = pretender.accept()
      remote.send(#"{"camrec":"0.2.0","pid":5,"protocol":1}"# + "\n")
      while let line = remote.line() {
        asked.withLock { $0.append(line) }
        let id = (line.firstMatch(of: /"id":(\d+)/)?.1).flatMap { Int64($0) }.map(JSONValue.integer)
        var state = RecorderState(phase: .standby)
        if line.contains("hello") || line.contains("controls") {
          remote.send(ControlMessage.refusal(CamrecError(.usage, "there is no command"), id: id).line)
        } else {
          remote.send(ControlMessage.answer(state, id: id).line)
        }
        guard line.contains("watch"), !line.contains("false") else { continue }
        for films in 1...2 {
          state.films = films
          remote.send(ControlMessage.news(state).line)
        }
      }
    }
    let client = try ControlClient(path: room.path())
    #expect(try client.perform(ControlRequest(.start)).phase == .standby)
    #expect(asked.withLock { $0 } == [#"{"do":"start","id":1}"#], "no word that version 1 does not have")
    let updates = try client.updates(after: nil)
    var told = try #require(try updates.next())
    while told.values.films < 2 {
      let next = try #require(try updates.next())
      #expect(next.isWhole && next.generation > told.generation)
      told = next
    }
    #expect(asked.withLock { $0 }.contains(#"{"do":"watch","id":3}"#))
    #expect(throws: CamrecError.self) { try client.controls() }
    #expect(try client.perform(ControlRequest(.state)).phase == .standby)
  }

  /// Every line that a recorder may send, damaged: the client throws or goes on, and never waits for ever.
  @Test func damagedAnswers_harmNobody() throws {
    var random = SplitMix(seed: 3703)
    let lines = [
      ControlMessage.answer(FullState.make(), id: .integer(1)).line,
      ControlMessage.news(StateUpdate([.film], of: FullState.make(), generation: 2)).line,
      ControlMessage.answer([ControlDescription("ev", .number)], id: .integer(1)).line,
      ControlMessage.refusal(CamrecError(.device, "no"), id: .integer(1)).line,
    ]
    for _ in 0..<50 {
      let path = room.path("\(UUID().uuidString.prefix(8)).sock")
      let listener = try RawRemote(boundTo: path)
      listener.listen()
      var bytes: [UInt8] = []
      for _ in 0..<20 {
        var line = try #require(lines.randomElement(using: &random))
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          line[Int.random(in: 0..<line.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        bytes += line
      }
      let sent = bytes
      nonisolated(unsafe) let pretender = listener
      let thread = WorkThread(name: "pretender") {
        let remote = pretender.accept()
        remote.send(#"{"camrec":"9","pid":5,"protocol":1}"# + "\n")
        _ = remote.line()
        remote.send(sent)
      }
      let client = try ControlClient(path: path)
      for _ in 0..<3 { _ = try? client.perform(ControlRequest(.state)) }
      _ = try? client.controls()
      _ = try? client.updates(after: nil).next()
      thread.join()
    }
  }
}
