import ControlCodec
import ControlSocket
import Foundation
import Frames
import Recorder
import RecorderAPI
import RecorderTestKit
import Testing
import TestKit

/// The order of answers over a socket, while a start takes its time.
@Suite struct RequestOrderOverSocketTests {
  let room: SocketRoom
  private let gate: Gate
  private let recorder: ScriptedRecorder

  init() throws {
    room = try SocketRoom()
    let gate = Gate()
    self.gate = gate
    recorder = ScriptedRecorder { if $0 == .start { gate.pass() } }
  }

  private func connect(_ server: ControlServer, _ hello: String? = nil) throws -> RawRemote {
    let remote = try RawRemote(connectedTo: server.path)
    _ = remote.line()
    guard let hello else { return remote }
    remote.send(hello + "\n")
    #expect(
      remote.line()?.contains(#""capabilities":["changes","controls","deadline","outOfOrder","startAt"]"#) == true)
    return remote
  }

  private func id(_ remote: RawRemote) throws -> JSONValue? {
    try ControlMessage(line: Array(try #require(remote.line()).utf8)).id
  }

  /// Sends a start that does not end, and requests behind it.
  private func ask(_ remote: RawRemote) {
    gate.close()
    remote.send("{\"do\":\"start\",\"id\":1}\n")
    gate.awaitSomebody()
    remote.send("{\"do\":\"state\",\"id\":2}\n{\"do\":\"iso\",\"value\":100,\"id\":3}\n")
  }

  @Test(arguments: [nil, #"{"do":"hello"}"#])
  func answers_comeInOrder(_ hello: String?) throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let remote = try connect(server, hello)
    ask(remote)
    gate.open()
    for number in 1...3 { #expect(try id(remote) == .integer(Int64(number))) }
    #expect(recorder.asked == [.start, .exposure(.iso(100))])
  }

  @Test func outOfOrder_theyComeAsTheyAreReady() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let remote = try connect(server, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    ask(remote)
    let first: Set<JSONValue?> = [try id(remote), try id(remote)]
    #expect(first == [.integer(2), .integer(3)])
    remote.send("{\"do\":\"watch\",\"changes\":true,\"id\":4}\n")
    #expect(try id(remote) == .integer(4))
    recorder.state.films = 1
    recorder.changes.ring()
    #expect(remote.line()?.contains(#""changes":{"films":1}"#) == true)
    gate.open()
    #expect(try id(remote) == .integer(1))
  }

  /// Whoever sends no more still gets the answers.
  @Test func endOfRequests_isNotTheEndOfAnswers() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let remote = try connect(server, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    ask(remote)
    remote.endSending()
    var ids: Set<JSONValue?> = [try id(remote), try id(remote)]
    gate.open()
    ids.insert(try id(remote))
    #expect(ids == [.integer(1), .integer(2), .integer(3)])
    #expect(remote.line() == nil)
  }

  @Test func remoteThatIsGone_harmsNobody() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let remote = try connect(server, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    ask(remote)
    remote.close()
    let other = try connect(server)
    other.send("{\"do\":\"state\",\"id\":9}\n")
    #expect(try id(other) == .integer(9))
    gate.open()
    #expect(SocketRoom.eventually { recorder.asked.contains(.start) })
  }

  /// However long it takes, a deadline is answered; the connection stays.
  @Test(arguments: [#"{"do":"hello","deadline":0.05}"#, #"{"do":"hello","id":0,"deadline":0.05,"outOfOrder":true}"#])
  func deadline_isAnswered(_ hello: String) throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let remote = try connect(server, hello)
    gate.close()
    remote.send("{\"do\":\"start\",\"id\":1}\n")
    let late = try ControlMessage(line: Array(try #require(remote.line()).utf8))
    #expect(late.id == .integer(1) && late.ok == false)
    #expect(["deadline", "busy"].contains(late.error?.reason ?? ""), "a slow machine may not even have begun")
    remote.send("{\"do\":\"state\",\"id\":2}\n")
    #expect(try id(remote) == .integer(2))
    gate.open()
  }

  @Test func close_waitsForAnswersUnderWay() throws {
    let server = try room.open("1.sock", recorder)
    let remote = try connect(server, #"{"do":"hello","id":0,"outOfOrder":true}"#)
    ask(remote)
    let others: Set<JSONValue?> = [try id(remote), try id(remote)]
    #expect(others == [.integer(2), .integer(3)])
    let closing = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      server.close()
      closing.signal()
    }
    #expect(SocketRoom.eventually { !room.exists(server.path) })
    gate.open()
    #expect(try id(remote) == .integer(1))
    #expect(remote.line() == nil)
    closing.wait()
  }
}
