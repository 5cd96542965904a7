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

  private static func line(_ random: inout SplitMix) -> [UInt8] {
    var line = Array((seeds.randomElement(using: &random) ?? "").utf8)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0..<max(1, line.count), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where !line.isEmpty: line.remove(at: place)
      case 1: line.insert(UInt8.random(in: 0...255, using: &random), at: min(place, line.count))
      case 2 where !line.isEmpty: line[place] = UInt8.random(in: 0...255, using: &random)
      case 3: line.append(contentsOf: line.prefix(place))
      case 4: line = (0..<place).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 5 where !line.isEmpty: line.swapAt(place, 0)
      default: break
      }
    }
    return line
  }

  /// How many answers a piece of text is due: one for each line that is not blank.
  private static func requests(_ bytes: [UInt8]) -> Int {
    bytes.split(separator: UInt8(ascii: "\n")).count { line in !line.allSatisfy(" \t\r".utf8.contains) }
  }

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
      let line = ControlFuzzTests.line(&random), id = "last \(number)"
      remote.send(line + Array("\n{\"do\":\"state\",\"id\":\"\(id)\"}\n".utf8))
      var due = ControlFuzzTests.requests(line) + 1, isTold = false
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
