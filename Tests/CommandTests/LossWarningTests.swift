import Foundation
import TestKit
import Testing

/// What is lost is warned of wherever somebody is told, and the warnings are counted.
@Suite struct LossWarningTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write("drop 25 3\ndrop 75\ndamage 80 2\ndrop 125 30\nxrun 3s 200ms\n".utf8, to: "faults.txt")
  }

  private func record(_ arguments: [String]) throws -> CamrecBinary.Outcome {
    let film = [
      "--camera", "sim:pace=pulled,faults=faults.txt", "--microphone", "sim", "--size", "64x36", "--fps", "25",
      "--codec", "ffv1", "--output", "take.mkv", "--duration", "8s", "--state", "state.json", "--metrics", "m.prom",
      "--control", "none",
    ]
    let outcome = try CamrecBinary.find().run(film + arguments, in: folder.url, timeout: 240)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    return outcome
  }

  /// What the recorder itself says of its warnings.
  private func counted() throws -> (state: Int?, metrics: Int?) {
    let record = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: folder.path("state.json")))) as? [String: Any]
    let totals = (record?["state"] as? [String: Any])?["totals"] as? [String: Any]
    let metrics = try String(contentsOfFile: folder.path("m.prom"), encoding: .utf8)
    let line = metrics.split(separator: "\n").first { $0.hasPrefix("camrec_warnings_total{") }
    return (totals?["warnings"] as? Int, line?.split(separator: " ").last.flatMap { Int($0) })
  }

  @Test func programs_hearOfEachLoss_andOfSoundAsWell() throws {
    let events = try Events(try record(["--json"]))
    var sums: [String: Int] = [:]
    for event in events.all where event["event"] as? String == "warning" {
      guard let facts = event["facts"] as? [String: String], let reason = facts["reason"] else { continue }
      sums[reason, default: 0] += Int(facts["count"] ?? "") ?? 0
    }
    #expect(sums == ["deviceGap": 34, "deviceError": 2, "sound": 9600], "\(events.warnings)")
    #expect(events.losses == [34, 2, 0, 0, 0])
    let sound = try #require(events.warnings.first { $0.contains("of audio") })
    // The block in which it begins.
    #expect(
      sound.contains(/^0\.2 s of audio was lost \(from (2\.9|3\.0)\d\d s on\): the microphone did not deliver/),
      "\(sound)")
    #expect(sound.contains("; try another USB port"))
    #expect(try counted() == (events.warnings.count, events.warnings.count))
  }

  /// By its place in the segment's sidecar, although the recording is long over that segment.
  @Test func lostSoundNamesItsSegment() throws {
    let events = try Events(try record(["--json", "--segment", "2s"]))
    let sound = try #require(
      events.all.compactMap { $0["facts"] as? [String: String] }.first { $0["reason"] == "sound" })
    #expect(sound["film"] == "take-0002.mkv" && sound["count"] == "9600", "\(sound)")
    let summary = try CamrecBinary.find().run(["info", "--json", "take-0002.mkv"], in: folder.url)
    let record = try JSONSerialization.jsonObject(with: Data(summary.standardOutput.utf8)) as? [String: Any]
    let gaps = (record?["soundGaps"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
    let seconds = try #require(gaps.first?["seconds"] as? Double, "\(summary)")
    let sample = try #require(sound["sample"].flatMap(Double.init))
    #expect(gaps.count == 1 && abs(seconds - sample / 48_000) < 0.001 && seconds < 2, "\(gaps), \(sound)")
  }

  @Test func people_hearOfThemInAPipe() throws {
    let lines = try record([]).standardError.split(separator: "\n").map(String.init)
    let warnings = lines.filter { $0.hasPrefix("Warning: ") }
    #expect(warnings.contains { $0.contains("lost") && $0.contains("the camera did not deliver; try ") }, "\(lines)")
    #expect(warnings.contains { $0.contains("the camera delivered damaged frames; try ") })
    #expect(warnings.contains { $0.contains("0.2 s of audio was lost") && $0.contains("; try another USB port") })
    #expect(try counted() == (warnings.count, warnings.count))
  }

  @Test func aLog_hasThemWithTheirFields() throws {
    let outcome = try record(["--log", "json"])
    let entries = try outcome.standardError.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    var sums: [String: Int] = [:]
    for entry in entries where entry["level"] as? String == "warning" {
      guard let fields = entry["fields"] as? [String: String], let reason = fields["reason"] else { continue }
      sums[reason, default: 0] += Int(fields["count"] ?? "") ?? 0
      let message = entry["message"] as? String ?? ""
      #expect(message.contains("; try ") || message.contains(" more "), "\(message)")
    }
    #expect(sums == ["deviceGap": 34, "deviceError": 2, "sound": 9600], "\(outcome.standardError)")
  }
}
