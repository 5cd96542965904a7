import Foundation
import TestKit
import Testing

/// A recorder that records, and remotes that say what nobody means.
@Suite struct OddLinesTests {
  private static let seeds = [
    #"{"do":"state","id":1}"#, #"{"do":"watch","changes":true,"id":2}"#, #"{"do":"watch"}"#,
    #"{"do":"watch","value":false}"#, #"{"do":"hello"}"#, #"{"do":"hello","id":1,"outOfOrder":true}"#,
    #"{"do":"hello","deadline":0.5,"id":"x"}"#, #"{"do":"controls","id":8}"#, #"{"do":"mode","value":"auto"}"#,
    #"{"do":"mode","value":"manual"}"#, #"{"do":"iso","value":800,"id":4}"#, #"{"do":"angle","value":90}"#,
    #"{"do":"ev","value":"+1/3"}"#, #"{"do":"spot","value":[0.5,0.25],"id":5}"#,
    #"{"do":"metering","value":"highlight"}"#, #"{"do":"lock"}"#, #"{"do":"unlock"}"#,
    #"{"do":"white-balance","value":5600}"#, #"{"do":"focus","value":"0.5,0.5"}"#,
    #"{"do":"marker","value":"take 2","id":6}"#, #"{"do":"set","name":"torch","value":"on"}"#, #"{"do":"keep"}"#,
    #"{"do":"forget"}"#, "[[[[[[", "nonsense",
  ]
  /// What ends the film, or begins another.
  private static let endings = ["start", "stop", "quit", "rate", "format", "camera", "switch"].map { "\"\($0)\"" }

  private static func line(_ random: inout SplitMix) -> [UInt8] {
    while true {
      let line = OddLine.make(from: seeds, &random), text = String(decoding: line, as: UTF8.self)
      if !endings.contains(where: { text.contains($0) }) { return line }
    }
  }

  private static func remote(at socket: String) throws -> RawRemote {
    let remote = try RawRemote(connectedTo: socket)
    _ = try #require(remote.line())
    return remote
  }

  private func talk(to socket: String) throws {
    var random = SplitMix(seed: 3701)
    var remotes = try (0..<4).map { _ in try OddLinesTests.remote(at: socket) }
    for number in 0..<10_000 {
      // What a remote has agreed to ends with its connection.
      if number % 500 == 499 {
        let place = number / 500 % remotes.count
        remotes[place].close()
        remotes[place] = try OddLinesTests.remote(at: socket)
      }
      let remote = remotes[number % remotes.count], line = OddLinesTests.line(&random), id = "last \(number)"
      remote.send(line + Array("\n{\"do\":\"state\",\"id\":\"\(id)\"}\n".utf8))
      var due = OddLine.requests(in: line) + 1, isTold = false
      while due > 0 {
        let text = try #require(remote.line(), "line \(number): \(String(decoding: line, as: UTF8.self))")
        let message = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        // A watcher is told other things, too.
        guard let ok = message["ok"] as? Bool else { continue }
        if message["id"] as? String == id { isTold = ok }
        due -= 1
      }
      #expect(isTold, "line \(number): \(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test func tenThousandOddLines_costNoFrame() throws {
    let folder = try TemporaryFolder(), socket = folder.path("c.sock")
    // Its camera waits for the recorder: no machine is too slow for it.
    let recorder = try CamrecBinary.find().start(
      [
        "--camera", "sim:pace=pulled", "--size", "64x36", "--fps", "24", "--microphone", "none", "--exposure", "auto",
        "--codec", "hevc", "--preset", "ultrafast", "--output", "take.mov", "--control", socket, "--json",
      ], in: folder.url)
    for _ in 0..<3000 where !recorder.outputSoFar().standardOutput.contains(#""event":"started""#) { usleep(20_000) }
    let told = Result { try talk(to: socket) }
    recorder.send(signal: SIGINT)
    let outcome = recorder.wait(timeout: 120)
    try told.get()
    let events = try Events(outcome), frames = events.account[0]
    #expect(outcome.exitCode == 0 && frames > 0 && events.account == [frames, frames, frames], "\(events.stopped)")
    #expect(events.losses == [0, 0, 0, 0, 0])
    #expect(try Probe(folder.path("take.mov")).video["nb_frames"] as? String == "\(frames)")
  }
}
