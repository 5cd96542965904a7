import ControlCodec
import ControlSocket
import Foundation
import Frames
import Recorder
import RecorderAPI
import RecorderTestKit
import Testing
import TestKit

/// Ten thousand lines that nobody means, over a socket: each is answered, or ends the connection by rule.
@Suite struct ControlFuzzTests {
  let room: SocketRoom
  let recorder = ScriptedRecorder()

  init() throws { room = try SocketRoom() }

  private static let seeds = [
    #"{"do":"state","id":1}"#, #"{"do":"watch","changes":true,"id":2}"#, #"{"do":"watch","value":false}"#,
    #"{"do":"hello"}"#, #"{"do":"hello","id":1,"outOfOrder":true}"#, #"{"do":"hello","deadline":0.5,"id":"x"}"#,
    #"{"do":"controls","id":8}"#,
    #"{"do":"start","id":3}"#, #"{"do":"stop"}"#, #"{"do":"iso","value":800,"id":4}"#, #"{"do":"ev","value":"+1/3"}"#,
    #"{"do":"spot","value":[0.5,0.25],"id":5}"#, #"{"do":"switch","fps":25,"size":"1280x720"}"#,
    #"{"do":"marker","value":"take 2","id":6}"#, #"{"do":"set","name":"torch","value":"on"}"#, "[[[[[[", "nonsense",
  ]

  @Test func everyLineIsAnswered() throws {
    let server = try room.open("1.sock", recorder)
    defer { server.close() }
    var random = SplitMix(seed: 3700)
    var remote = try RawRemote(connectedTo: server.path)
    _ = remote.line()
    for number in 0..<10_000 {
      if number % 500 == 499 {
        // What a remote has agreed to ends with its connection.
        if number % 1000 == 499 {
          remote.send([UInt8](repeating: UInt8(ascii: "z"), count: ControlProtocol.lineLimit + 1) + [0x0a])
          var last: String?
          while let line = remote.line() { last = line }
          #expect(last?.contains("a request must have at most 65536 bytes") == true)
        }
        remote.close()
        remote = try RawRemote(connectedTo: server.path)
        _ = remote.line()
      }
      recorder.state.films = number
      let line = OddLine.make(from: ControlFuzzTests.seeds, &random), id = "last \(number)"
      remote.send(line + Array("\n{\"do\":\"state\",\"id\":\"\(id)\"}\n".utf8))
      var due = OddLine.requests(in: line) + 1, isTold = false
      while due > 0 {
        let message = try ControlMessage(line: Array(try #require(remote.line(), "line \(number)").utf8))
        guard let ok = message.ok else {
          #expect(message.event == "state")
          continue
        }
        #expect(ok == (message.error == nil))
        if message.id == .text(id) { isTold = ok }
        due -= 1
      }
      #expect(isTold, "line \(number): \(String(decoding: line, as: UTF8.self))")
    }
  }
}
