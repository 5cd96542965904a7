import ControlCodec
import ControlSocket
import Foundation
import Frames
import Recorder
import RecorderAPI
import RecorderTestKit
import Testing
import TestKit

/// Version 1 of the protocol, byte for byte: conversations as a recorder had them before anybody could say hello.
///
/// A line of a file in `Conversations` begins with `>` (sent), `<` (received; alone: the end), `!` (what happens to the
/// recorder) or `#`. `refusals.txt` was recorded from a recorder of that time. In `hello.txt` a remote says hello.
@Suite struct FirstVersionTests {
  let room: SocketRoom
  let recorder = ScriptedRecorder(state: FirstVersionTests.state(RecorderState(phase: .standby)))

  init() throws { room = try SocketRoom() }

  /// Version 1 does not have the age.
  private static func state(_ state: RecorderState) -> RecorderState {
    var state = state
    state.beats = nil
    state.whiteBalanceAge = 1.5
    return state
  }

  private func happen(_ words: Substring, _ remote: RawRemote) throws {
    let parts = words.split(separator: " "), number = parts.last.flatMap { Int($0) }
    switch parts.first {
    case "films": recorder.state.films = try #require(number)
    case "age": recorder.state.whiteBalanceAge = number.map { Double($0) }
    case "full": recorder.state = FirstVersionTests.state(FullState.make())
    case "standby": recorder.state = FirstVersionTests.state(RecorderState(phase: .standby))
    case "refuse": recorder.fail(with: CamrecError(.output, "the disk is full", cause: "ENOSPC"))
    case "blank": remote.send("\n \t\r\n  \n")
    default: Issue.record("nobody knows '\(words)'")
    }
    recorder.changes.ring()
  }

  /// The recorder has a name and a monitor socket, which version 1 is not told.
  @Test(arguments: ["commands", "refusals", "watching", "hello"])
  func conversation_isAsItWas(_ name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Conversations/\(name).txt")
    let text = try String(contentsOf: file, encoding: .utf8)
    let server = try room.open("1.sock", recorder, called: "front", monitor: "/run/camrec/1.monitor")
    defer { server.close() }
    let remote = try RawRemote(connectedTo: server.path)
    for (number, line) in text.split(separator: "\n").enumerated() {
      let rest = line.dropFirst(2)
      switch line.first {
      case "#": continue
      case "!": try happen(rest, remote)
      case ">" where rest == "LONG": remote.send(String(repeating: "x", count: ControlProtocol.lineLimit + 1) + "\n")
      case ">": remote.send(String(rest) + "\n")
      case "<":
        let said = remote.line()?.replacing("\"pid\":\(getpid()),", with: "\"pid\":PID,")
        #expect(said == (rest.isEmpty ? nil : String(rest)), "\(name).txt, line \(number) of those with text")
      default: Issue.record("\(name).txt: '\(line)'")
      }
    }
  }

  /// Whoever says hello is told everything else in the same words.
  @Test func refusals_areTheSameAfterAHello() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    let (first, second) = (try RawRemote(connectedTo: server.path), try RawRemote(connectedTo: server.path))
    #expect(first.line() == second.line())
    second.send("{\"do\":\"hello\"}\n")
    #expect(
      second.line()
        == #"{"camrec":"1.2.3","capabilities":["changes","controls","deadline","outOfOrder","startAt"],"ok":true,"#
        + #""pid":\#(getpid()),"protocol":1}"#)
    for line in [#"{"do":"dance"}"#, #"{"do":"ev"}"#, #"{"do":"watch","unit":1}"#, "nonsense", #"{"do":"ev","id":4}"#] {
      for remote in [first, second] { remote.send(line + "\n") }
      #expect(first.line() == second.line())
    }
  }
}
