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

/// Real sockets in a folder of the test's own.
@Suite struct ControlServerTests {
  let room: SocketRoom
  let recorder = ScriptedRecorder()

  init() throws { room = try SocketRoom() }

  @Test func greetsAndAnswers_everyWord() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    recorder.state.film = "take.mov"
    let client = try ControlClient(path: server.path)
    #expect(client.pid == getpid())
    let examples: [ControlWord: [String]] = [
      .mode: ["auto"], .angle: ["90"], .iso: ["400"], .ev: ["+1/3"], .metering: ["average"], .spot: ["0,1"],
      .whiteBalance: ["shade"], .set: ["torch", "on"], .rate: ["25"], .format: ["nv12"], .camera: ["sim"],
      .switchSource: ["camera=sim", "fps=30"], .watch: ["false"],
      .marker: ["take 2"],
    ]
    var expected: [RecorderCommand] = []
    for word in ControlWord.allCases {
      let request = try ControlRequest(word, words: examples[word] ?? [])
      #expect(try client.perform(request).film == "take.mov")
      if case .command(let command) = try request.meaning(), command != .state { expected.append(command) }
    }
    #expect(recorder.asked == expected && expected.count == ControlWord.allCases.count - 2)
  }

  @Test func greeting_hasVersions() throws {
    let server = try room.open()
    defer { server.close() }
    let remote = try RawRemote(connectedTo: server.path)
    #expect(remote.line() == #"{"camrec":"1.2.3","pid":\#(getpid()),"protocol":1}"#)
  }

  @Test func monitorSocket_isForThoseThatSayHello_onceThereIsOne() throws {
    let monitor = Mutex<String?>(nil)
    let server = try ControlServer.open(
      path: room.path(), control: recorder, camrec: "1.2.3", monitor: { monitor.withLock { $0 } })
    defer { server.close() }
    #expect(try ControlClient(path: server.path).monitorPath() == nil)
    monitor.withLock { $0 = "/run/camrec/1.monitor" }
    #expect(try ControlClient(path: server.path).monitorPath() == "/run/camrec/1.monitor")
    let remote = try RawRemote(connectedTo: server.path)
    #expect(remote.line() == #"{"camrec":"1.2.3","pid":\#(getpid()),"protocol":1}"#, "as ever")
    remote.send(#"{"do":"hello","id":1}"# + "\n")
    let welcome = try ControlMessage(line: Array(try #require(remote.line()).utf8))
    #expect(welcome.monitor == "/run/camrec/1.monitor" && welcome.ok == true)
  }

  @Test func name_isForThoseThatSayHello() throws {
    let server = try room.open(called: "front")
    defer { server.close() }
    let remote = try RawRemote(connectedTo: server.path)
    #expect(remote.line() == #"{"camrec":"1.2.3","pid":\#(getpid()),"protocol":1}"#)
    remote.send(#"{"do":"hello","id":1}"# + "\n")
    #expect(try ControlMessage(line: Array(try #require(remote.line()).utf8)).name == "front")
  }

  @Test func refusal_arrivesWithItsCode() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let refusal = CamrecError(.output, "the disk is full", cause: "ENOSPC")
    recorder.fail(with: refusal)
    let client = try ControlClient(path: server.path)
    #expect(throws: refusal) { try client.perform(ControlRequest(.start)) }
    recorder.fail(with: nil)
    #expect(try client.perform(ControlRequest(.start)) == recorder.state, "the connection stays")
  }

  @Test func badLine_keepsTheConnection_overlongOneEndsIt() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let remote = try RawRemote(connectedTo: server.path)
    _ = remote.line()
    remote.send([0xff, 0x0a])
    #expect(remote.line()?.contains("this line is not UTF-8") == true)
    remote.send("\n\r\n{\"do\":\"sta")
    remote.send("rt\"}\r\n")
    #expect(remote.line()?.contains(#""ok":true"#) == true, "in two pieces, behind lines that ask for nothing")
    let padding = String(repeating: " ", count: ControlProtocol.lineLimit - #"{"do":"stop"}"#.utf8.count)
    remote.send(#"{"do":"stop"}"# + padding + "\n")
    #expect(remote.line()?.contains(#""ok":true"#) == true, "as long as a line may be")
    remote.send(#"{"do":"quit"}"# + padding + " \n")
    #expect(remote.line()?.contains("a request must have at most 65536 bytes; this one has more") == true)
    #expect(remote.line() == nil, "the end")
    #expect(recorder.asked == [.start, .stop])
  }

  @Test func remoteThatDiesInMidLine_harmsNobody() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    for _ in 0..<(3 * ControlServer.places) {
      let remote = try RawRemote(connectedTo: server.path)
      remote.send(#"{"do":"qui"#)
      remote.close()
    }
    let isThere = SocketRoom.eventually { (try? ControlClient(path: server.path)) != nil }
    #expect(isThere, "their places are free again")
    #expect(recorder.asked == [])
  }

  @Test func whoComesWhenAllPlacesAreTaken_hasThatOfTheOneIdleLongest() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    var clients: [ControlClient] = []
    for _ in 0..<ControlServer.places { clients.append(try ControlClient(path: server.path)) }
    // The first has asked something since the second connected.
    _ = try clients[0].perform(ControlRequest(.iso, ["value": "1"]))
    for number in 0..<3 {
      let newcomer = try ControlClient(path: server.path)
      #expect(try newcomer.perform(ControlRequest(.state)) == recorder.state)
      let refusal = failure { () throws(CamrecError) in try clients[number + 1].perform(ControlRequest(.state)) }
      #expect(
        refusal?.message
          == "disconnected to make room: all slots were taken, and this client had been idle longest; connect again"
          || refusal?.message.contains("did not answer") == true, "\(String(describing: refusal))")
      clients.append(newcomer)
    }
    _ = try clients[0].perform(ControlRequest(.iso, ["value": "2"]))
    #expect(recorder.asked == [.exposure(.iso(1)), .exposure(.iso(2))])
  }

  @Test func idleRemotesAndHalfLines_lockNobodyOut() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    var idle: [RawRemote] = []
    for number in 0..<(2 * ControlServer.places) {
      idle.append(try RawRemote(connectedTo: server.path))
      _ = idle.last?.line()
      if number % 2 == 0 { idle.last?.send(#"{"do":"qui"#) }
    }
    #expect(try ControlClient(path: server.path).perform(ControlRequest(.start)) == recorder.state)
    let said = try #require(idle[0].line())
    #expect(said.contains("this client had been idle longest"), "\(said)")
    #expect(idle[0].line() == nil, "and closed")
    #expect(recorder.asked == [.start])
  }

  private func failure(_ body: () throws(CamrecError) -> RecorderState) -> CamrecError? {
    do throws(CamrecError) {
      _ = try body()
      return nil
    } catch { return error }
  }

  @Test func remotesAskAtTheSameTime() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let path = server.path
    let answered = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: ControlServer.places) { _ in
      guard let client = try? ControlClient(path: path) else { return }
      for _ in 0..<50 where (try? client.perform(ControlRequest(.lock))) != nil { answered.withLock { $0 += 1 } }
    }
    #expect(answered.withLock { $0 } == ControlServer.places * 50)
    #expect(recorder.asked.count == ControlServer.places * 50)
  }

  /// It asks and asks, and reads nothing: the server takes no more from it, and answers the others.
  @Test func slowReader_isNotReadFrom_andHoldsNobodyUp() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let slow = try RawRemote(connectedTo: server.path)
    let request = Array("{\"do\":\"state\"}\n".utf8)
    var asked = 0
    // Full when it stays full while another remote gets its answer.
    let client = try ControlClient(path: server.path)
    var isFull = false
    while !isFull, asked < 1_000_000 {
      while slow.send(request, atOnce: true) == request.count { asked += 1 }
      _ = try client.perform(ControlRequest(.lock))
      usleep(20_000)
      isFull = slow.send(request, atOnce: true) == -1
      if !isFull { asked += 1 }
    }
    #expect(isFull, "what a remote is owed has a limit")
    _ = slow.line()
    for _ in 0..<asked { #expect(slow.line()?.hasPrefix(#"{"ok":true"#) == true) }
  }

  @Test func watcher_isToldOfChanges_andOfTheEnd() throws {
    let server = try room.open("1.sock", recorder)
    let client = try ControlClient(path: server.path)
    var told: [Int] = []
    try client.watch { state in
      told.append(state.films)
      if state.films < 3 { recorder.state.films += 1 } else { recorder.state.films = 9 }
      if state.films == 3 { Thread.detachNewThread { server.close() } }
      return true
    }
    #expect(told.first == 0 && told.last == 9 && told.contains(2), "\(told)")
    #expect(!room.exists(server.path))
  }

  @Test func whatWasAskedBeforeTheEnd_isAnswered() throws {
    let (isAsked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let recorder = ScriptedRecorder { _ in
      isAsked.signal()
      mayAnswer.wait()
    }
    let server = try room.open("1.sock", recorder)
    let remote = try RawRemote(connectedTo: server.path)
    _ = remote.line()
    remote.send("{\"do\":\"quit\",\"id\":7}\n")
    isAsked.wait()
    Thread.detachNewThread {
      usleep(50_000)
      mayAnswer.signal()
    }
    server.close()
    #expect(remote.line()?.hasPrefix(#"{"id":7,"ok":true"#) == true)
    #expect(remote.line() == nil)
  }

  @Test func noise_isAnsweredLineByLine() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let remote = try RawRemote(connectedTo: server.path)
    _ = remote.line()
    var random = SplitMix(seed: 7)
    for _ in 0..<500 {
      // Spaces and the like alone would ask for nothing.
      let noise = (0..<Int.random(in: 1...200, using: &random)).map { _ in UInt8.random(in: 33...255, using: &random) }
      remote.send(noise + [0x0a])
      #expect(remote.line()?.contains(#""code":"usage""#) == true)
    }
    #expect(recorder.asked == [])
  }
}
