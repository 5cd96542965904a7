import Foundation
import TestKit
import Testing

/// `camrec doctor` on this machine: what it looks at, and what its exit status says.
@Suite struct DoctorTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func doctor(_ text: String, _ arguments: [String] = []) throws -> (
    status: Int32, report: [String: Any], outcome: CamrecBinary.Outcome
  ) {
    _ = try folder.write(text.utf8, to: "rig.yaml")
    let outcome = try CamrecBinary.find().run(
      ["doctor", "--json", "--duration", "100ms"] + arguments + ["rig.yaml"], in: folder.url, timeout: 120)
    let report = try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any]
    return (outcome.exitCode, try #require(report, "\(outcome.standardError)"), outcome)
  }

  private func findings(_ report: [String: Any], _ check: String) -> [[String: Any]] {
    (report["findings"] as? [[String: Any]] ?? []).filter { $0["check"] as? String == check }
  }

  @Test func simulatedRig_isLookedAtFromEverySide() throws {
    let (status, report, _) = try doctor(
      "defaults: {size: 160x96, fps: 1, codec: ffv1, microphone: none}\n"
        + "cameras: {a: {camera: sim}, b: {camera: sim, bitrate: ~}}\n")
    for check in [
      "configuration", "user", "clock", "temperature", "open files", "memory", "camera", "microphone", "encoder speed",
      "disk speed", "space",
    ] {
      #expect(!findings(report, check).isEmpty, "\(check)")
    }
    #expect(findings(report, "encoder speed").compactMap { $0["camera"] as? String } == ["a", "b"])
    #expect(findings(report, "disk speed").count == 1, "both films go to one folder")
    let speed = try #require(findings(report, "encoder speed").first)
    #expect((speed["finding"] as? String)?.contains("times real time at 1 fps") == true)
    let figures = try #require(speed["figures"] as? [String: Double])
    #expect(figures["timesRealTime"] == figures["framesPerSecond"], "at one frame a second")
    let verdict = report["verdict"] as? String
    #expect(status == (verdict == "ok" ? 0 : verdict == "warning" ? 4 : 5))
    #expect(findings(report, "user").first?["verdict"] as? String == (geteuid() == 0 ? "warning" : "ok"))
    #expect(try folder.names == ["rig.yaml"], "nothing stays")
  }

  @Test func metricsThatHaveNoFolder_areWarnedOf() throws {
    let (_, report, _) = try doctor(
      "cameras: {a: {camera: sim, size: 160x96, fps: 5, codec: ffv1, microphone: none, metrics: gone/a.prom}}\n")
    let found = findings(report, "surroundings")
    #expect(found.map { $0["verdict"] as? String } == ["warning"])
    #expect((found.first?["finding"] as? String)?.contains("the folder of 'gone/a.prom' does not exist") == true)
  }

  @Test func everyFindingThatIsNotWell_hasARemedy() throws {
    let (_, report, _) = try doctor(
      "cameras: {a: {camera: /dev/video4711, size: 160x96, fps: 5, codec: ffv1, microphone: 'hw:CARD=none'}}\n")
    for finding in report["findings"] as? [[String: Any]] ?? [] {
      #expect((finding["verdict"] as? String == "ok") == (finding["remedy"] == nil), "\(finding)")
    }
  }

  /// The default preset is the fastest, and ffv1 has none.
  @Test(arguments: ["microphone: none", "microphone: none, preset: medium", "microphone: none, codec: ffv1"])
  func aFasterPresetIsAdvised_onlyWhereThereIsOne(_ options: String) throws {
    let (_, report, _) = try doctor(
      "cameras: {a: {camera: sim, size: 1920x1080, fps: 240, cores: 1, \(options)}}\n")
    let finding = try #require(findings(report, "encoder speed").first)
    #expect(
      finding["remedy"] as? String
        == (options.contains("medium")
          ? "choose a faster --preset ('camrec bench' recommends one), a smaller --size or a lower --fps"
          : "choose a smaller --size or a lower --fps"), "\(finding)")
  }

  @Test func theSpeedIsThatOfTheNextStart_withSettingsMadeAtRunTime() throws {
    let kept = #"{"version":1,"controls":[],"settings":[{"key":"fps","value":"2","was":"1"}"#
      + #",{"key":"size","value":"320x192","was":"160x96"}]}"#
    _ = try folder.write(kept.utf8, to: "a.json")
    let (_, report, _) = try doctor(
      "settings: \(folder.url.path)\n"
        + "cameras: {a: {camera: sim, size: 160x96, fps: 1, codec: ffv1, microphone: none}}\n")
    let speed = try #require(findings(report, "encoder speed").first?["finding"] as? String)
    #expect(speed.contains(" frames of 320x192 a second: ") && speed.hasSuffix(" times real time at 2 fps"), "\(speed)")
    let said = try #require(findings(report, "kept settings").first)
    #expect(said["camera"] as? String == "a" && said["verdict"] as? String == "ok")
    let list = ": fps is 2 instead of 1, size is 320x192 instead of 160x96"
    #expect((said["finding"] as? String)?.hasSuffix(list) == true, "\(said)")
  }

  @Test func theSpeedIsThatWithTheLook() throws {
    let (_, report, _) = try doctor(
      "cameras: {a: {camera: sim, size: 160x96, fps: 1, codec: ffv1, microphone: none, look: \(LookFiles.portra)}}\n")
    let speed = try #require(findings(report, "encoder speed").first)
    #expect((speed["finding"] as? String)?.hasPrefix("ffv1 with the look encodes ") == true, "\(speed)")
  }

  /// 48 kHz, stereo, 16 bits: 192,000 bytes a second.
  @Test func theFilmsNeedRoomForTheirAudio() throws {
    let (_, report, _) = try doctor(
      "defaults: {camera: sim, size: 160x96, fps: 5, bitrate: 2M}\n"
        + "cameras: {a: {microphone: none}, b: {microphone: sim}, c: {microphone: auto}}\n")
    let space = try #require(findings(report, "space").first?["figures"] as? [String: Double])
    #expect(space["bytesPerSecond"] == Double(3 * 250_000 + 2 * 192_000))
    let speed = try #require(findings(report, "disk speed").first?["finding"] as? String)
    #expect(speed.hasSuffix("; the films need 1.13 MB/s"), "\(speed)")
  }

  @Test func missingCameraAndMicrophone_areFailures() throws {
    let (status, report, _) = try doctor(
      "cameras: {a: {camera: /dev/video4711, size: 160x96, fps: 5, codec: ffv1, microphone: 'hw:CARD=none'}}\n")
    #expect(status == 5 && report["verdict"] as? String == "failure")
    let camera = try #require(findings(report, "camera").first)
    #expect(
      camera["verdict"] as? String == "failure" && (camera["finding"] as? String)?.contains("/dev/video4711") == true)
    #expect((camera["remedy"] as? String)?.contains("usermod -aG video") == true)
    #expect(findings(report, "microphone").first?["verdict"] as? String == "failure")
  }

  @Test func theCommandToSeeErrors_canBeCopied() throws {
    _ = try folder.write("cameras: {a: {camera: sim, fps: 0}}\n".utf8, to: "my rig.yaml")
    let outcome = try CamrecBinary.find().run(
      ["doctor", "--duration", "100ms", "my rig.yaml"], in: folder.url, timeout: 120)
    #expect(outcome.standardOutput.contains("→ run: camrec rig check 'my rig.yaml'\n"), "\(outcome.standardOutput)")
  }

  @Test func fileWithErrors_isAFailureWithTheWayToSeeThem() throws {
    let (status, report, _) = try doctor("cameras: {a: {camera: sim, fps: 0}}\n")
    let finding = try #require(findings(report, "configuration").first)
    #expect(status == 5 && finding["remedy"] as? String == "run: camrec rig check rig.yaml")
    #expect(
      (finding["finding"] as? String)?.hasPrefix(
        "rig.yaml has 1 error: rig.yaml:1:33: error: cameras.a.fps: a frame rate") == true, "\(finding)")
  }

  @Test func people_getALineForEachFinding() throws {
    _ = try folder.write(
      "cameras: {a: {camera: sim, size: 160x96, fps: 1, codec: ffv1, microphone: none}}\n".utf8, to: "rig.yaml")
    let outcome = try CamrecBinary.find().run(
      ["doctor", "--duration", "100ms", "rig.yaml"], in: folder.url, timeout: 120)
    let first = "ok       configuration: rig.yaml has no errors, and nobody else can write to it\n"
    #expect(outcome.standardOutput.hasPrefix(first))
    #expect(outcome.standardOutput.contains("\nok       camera (a): the camera is simulated\n"))
  }
}
