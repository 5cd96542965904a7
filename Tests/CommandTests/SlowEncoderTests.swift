import Foundation
import TestKit
import Testing

/// An encoder that no machine is fast enough for: the rig says so, and the next file has a preset that keeps up better.
@Suite(.serialized) struct SlowEncoderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func expect(_ what: String, _ running: RunningCamrec, _ condition: () throws -> Bool) rethrows {
    for _ in 0..<4500 {
      if try condition() { return }
      Thread.sleep(forTimeInterval: 0.02)
    }
    Issue.record("\(what): \(running.outputSoFar())")
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
  }

  @Test func theNextFileHasAFasterPreset_andEverybodyIsTold() throws {
    _ = try folder.write(
      """
      cameras:
        front:
          camera: sim
          size: 960x540
          microphone: none
          preset: slower
          cores: 1
          segment: 8s
          output: front_%H-%M-%S.mov
          metrics: front.prom
          state: front.state.json
      settings: none
      """.utf8, to: "rig.yaml")
    let running = try CamrecBinary.find().start(
      ["rig", "rig.yaml"], in: folder.url,
      environment: ["XDG_RUNTIME_DIR": folder.url.path, "RUNTIME_DIRECTORY": "", "STATE_DIRECTORY": ""])
    expect("it is said", running) {
      running.outputSoFar().standardError.contains("front: Warning: the encoder does not keep up")
    }
    expect("metrics", running) { text("front.prom").contains(#"camrec_effort_step{camera="front",cause="load"} "#) }
    try expect("status", running) {
      let told = try CamrecBinary.find().run(["status", "front.state.json"], in: folder.url).standardOutput
      return told.contains("  reduced for load: ") && told.contains(" for the next film\n")
    }
    try expect("a file with another preset", running) {
      try folder.names.contains { $0.hasSuffix(".mov.camrec") && text($0).contains(#"{"setting":"preset","value":""#) }
    }
    running.send(signal: SIGTERM)
    // What is in the slow encoder takes its time.
    let end = running.wait(timeout: 600)
    #expect(end.exitCode == 3, "\(end.standardError)")
    let sidecars = try folder.names.filter { $0.hasSuffix(".mov.camrec") }
    let first = try #require(sidecars.first)
    #expect(!text(first).contains(#"{"setting":"preset""#))
    #expect(sidecars.contains { text($0).contains(#"{"warning":"the encoder does not keep up"#) })
    for name in sidecars {
      let last = text(name).split(separator: "\n").last ?? ""
      #expect(last.hasPrefix(#"{"end":"#), "\(name) is concluded: \(last)")
    }
  }

  /// Its frames wait for longer than the start has promised: people, programs and logs hear what a crash would cost.
  @Test(arguments: [[], ["--json"], ["--log", "json"]]) func aCrashCostsMore_andThatIsSaid(options: [String]) throws {
    let running = try CamrecBinary.find().start(
      [
        "record", "--camera", "sim", "--size", "960x540", "--fps", "60", "--microphone", "none", "--preset", "veryslow",
        "--cores", "1", "--control", "none", "--state", "none", "--output", "take.mov",
      ] + options, in: folder.url)
    let sentence = "the bake or the encoder is too slow: a crash or a power cut now costs "
    func said() -> String {
      let (output, error) = running.outputSoFar()
      return options.contains("--json") ? output : error
    }
    expect("it is said", running) { said().contains(sentence) }
    let line = said().split(separator: "\n").first { $0.contains(sentence) } ?? ""
    #expect(line.contains(" s at most; try ") && line.contains("a faster --preset"), "\(line)")
    switch options.first ?? "" {
    case "--json": #expect(line.contains(#""event":"warning""#) && line.contains(#""unsaved-seconds":""#), "\(line)")
    case "--log": #expect(line.contains(#""level":"warning""#) && line.contains(#""unsaved-seconds":""#), "\(line)")
    default: #expect(line.hasPrefix("Warning: \(sentence)"), "\(line)")
    }
    running.send(signal: SIGTERM)
    // What is in the slow encoder takes its time.
    #expect(running.wait(timeout: 600).exitCode == 3)
    #expect(text("take.mov.camrec").contains(#"{"warning":"\#(sentence)"#))
  }

  /// The screen, the sidecar, the state and the events have the same reason.
  @Test func stopOnOverload_leavesItsReasonEverywhere() throws {
    let outcome = try CamrecBinary.find().run(
      [
        "record", "--camera", "sim", "--size", "960x540", "--fps", "60", "--microphone", "none", "--preset", "veryslow",
        "--cores", "1", "--on-overload", "stop", "--state", "take.state.json", "--json", "--output", "take.mov",
      ], in: folder.url, timeout: 600)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    let stopped = try Events(outcome).stopped
    let error = try #require(stopped["error"] as? [String: Any], "\(outcome.standardOutput)")
    let reason = try #require(error["message"] as? String)
    #expect(error["code"] as? String == "overload" && reason.contains("could not keep up (--on-overload stop)"))
    #expect(stopped["status"] as? Int == 3)
    let end = text("take.mov.camrec").split(separator: "\n").last ?? ""
    #expect(end.hasPrefix(#"{"end":"#) && end.contains(reason), "\(end)")
    #expect(text("take.state.json").contains(reason))
  }
}
