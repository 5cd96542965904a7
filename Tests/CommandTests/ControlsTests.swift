import Foundation
import TestKit
import Testing

/// `camrec controls`, on the simulated camera; `Tests/VM/tests/40-controls` has the kernel's drivers.
@Suite struct ControlsTests {
  private func run(_ arguments: [String]) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(["controls"] + arguments, timeout: 60)
  }

  @Test func list_hasARowForEachControl_andWhatIsNotThere() throws {
    let outcome = try run(["--camera", "sim"])
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let lines = outcome.standardOutput.split(separator: "\n").map(String.init)
    #expect(lines.first == "simulated camera")
    #expect(
      lines.contains {
        $0.hasPrefix("  white-balance        ")
          && $0.hasSuffix(" (2500 to 10000 K in steps of 10 K; default 5600 K), controlled by auto-white-balance")
      }, "\(outcome.standardOutput)")
    #expect(lines.contains { $0.hasPrefix("  focus-state          idle (") && $0.hasSuffix(", read-only") })
    #expect(lines.last?.hasPrefix("  not available: ") == true && lines.last?.contains("stabilization") == true)
  }

  @Test func json_hasValuesAsTheyAre() throws {
    let outcome = try run(["--camera", "sim", "--json"])
    let listing = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
    let controls = try #require(listing["controls"] as? [[String: Any]])
    let byName = Dictionary(
      uniqueKeysWithValues: controls.compactMap { each in (each["name"] as? String).map { ($0, each) } })
    #expect(byName["white-balance"]?["unit"] as? String == "kelvin")
    #expect(byName["white-balance"]?["maximum"] as? Double == 10_000)
    #expect(byName["white-balance"]?["ruledBy"] as? String == "auto-white-balance")
    #expect(byName["auto-white-balance"]?["value"] as? Bool == true)
    #expect(byName["focus-point"]?["value"] as? [Double] == [0.5, 0.5])
    #expect(byName["torch"]?["choices"] as? [String] == ["off", "on"])
    #expect((listing["lacking"] as? [String])?.contains("stabilization") == true)
    #expect(listing["identity"] as? String != nil)
  }

  @Test func set_printsWhatTheCameraSays_automaticsFirst() throws {
    let outcome = try run(["set", "--camera", "sim", "focus-distance=122", "autofocus=off", "white-balance=tungsten"])
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(
      outcome.standardOutput == """
        autofocus off
        auto-white-balance off
        focus-distance 120 (asked for 122)
        white-balance 3200 K

        """)
  }

  @Test(arguments: [
    (
      "focus-distance=120",
      "focus-distance of simulated camera is controlled by its autofocus; set autofocus=off first"
    ),
    ("focus-state=idle", "focus-state of simulated camera can only be read"),
    ("stabilization=on", "simulated camera has no stabilization; its frames are not stabilized"),
  ])
  func whatTheCameraRefuses_isADevicesStatus(setting: String, sentence: String) throws {
    let outcome = try run(["set", "--camera", "sim", setting])
    #expect(outcome.exitCode == 69)
    #expect(outcome.standardError.hasPrefix("Error: \(sentence)"), "\(outcome.standardError)")
    #expect(outcome.standardOutput == "")
  }

  @Test func reset_namesWhatItHasSet() throws {
    let outcome = try run(["reset", "--camera", "sim"])
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let lines = outcome.standardOutput.split(separator: "\n")
    #expect(lines.starts(with: ["auto-white-balance on", "autofocus on"]))
    #expect(lines.contains("torch off") && !lines.contains { $0.hasPrefix("focus-state") })
  }

  @Test func focus_isFoundAndHeld_orTheCameraSaysNot() throws {
    let found = try run(["focus", "--camera", "sim", "--size", "64x36", "--at", "0.1,0.9"])
    #expect(found.exitCode == 0 && found.standardOutput == "the focus is held at 160\n", "\(found.standardError)")
    let json = try run(["focus", "--camera", "sim", "--size", "64x36", "--at", "0.1,0.1", "--json"])
    let report = try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any]
    #expect(report?["phase"] as? String == "held" && report?["distance"] as? Double == 60)
    // A lamp has nothing to focus on.
    let lamp = try run(["focus", "--camera", "sim", "--size", "64x36", "--at", "0.88,0.505"])
    #expect(lamp.exitCode == 69 && lamp.standardOutput.isEmpty)
    #expect(lamp.standardError.contains("Error: simulated camera found no focus; "), "\(lamp.standardError)")
    let free = try run(["focus", "--camera", "sim", "--release"])
    #expect(free.exitCode == 0 && free.standardOutput == "the camera focuses by itself\n")
    let torn = try run(["focus", "--camera", "sim", "--release", "--at", "0.1,0.1"])
    #expect(torn.exitCode == 64 && torn.standardError.contains("--release returns to autofocus; leave out --at"))
    let clip = try run(["focus", "--camera", "clip:a.mov"])
    #expect(clip.exitCode == 64 && clip.standardError.contains("a clip has no controls"))
  }
}
