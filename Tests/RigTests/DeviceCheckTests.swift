import Assembly
import Audio
import Doctor
import Foundation
import Rig
import TestKit
import Testing
import Triggers

/// What the doctor says of microphones, buttons and lights that need no device.
struct DeviceCheckTests {
  @Test func whoRecordsNoAudioNeedsNoMicrophone() {
    let none = MicrophoneCheck(choice: .none, isOfCamera: false).run()
    #expect(none.findings.map(\.verdict) == [.ok] && none.format == nil)
    let simulated = MicrophoneCheck(choice: .simulated, isOfCamera: false).run()
    #expect(simulated.findings.map(\.verdict) == [.ok] && simulated.format != nil)
    let own = MicrophoneCheck(choice: .auto, isOfCamera: true).run()
    #expect(own.findings.isEmpty && own.format != nil, "a clip brings its own audio")
  }

  @Test func aMicrophoneMayHaveOneChannel() {
    #expect(MicrophoneCheck.words(AudioFormat(sampleRate: 16_000, channels: 1)) == "16000 Hz, 1 channel")
    #expect(MicrophoneCheck.words(.standard) == "48000 Hz, 2 channels")
  }

  @Test func buttonsAndLightsThatAreNotThereAreNamed() throws {
    let folder = try TemporaryFolder(), device = folder.path("event9"), lamp = folder.path("tally")
    #expect(TriggerCheck(settings: TriggerSettings()).findings().isEmpty)
    let settings = TriggerSettings(
      buttons: [try ButtonChoice(parsing: "start:KEY_RECORD@\(device)")],
      light: try LightChoice(parsing: "led:\(lamp)@50"))
    let findings = TriggerCheck(settings: settings).findings()
    #expect(findings.map(\.check) == ["button", "light"] && findings.map(\.verdict) == [.failure, .warning])
    #expect(findings.map { $0.finding.contains(device) || $0.finding.contains(lamp) } == [true, true])
    #expect(findings.allSatisfy { $0.remedy != nil })
  }

  @Test func aLightThatCanBeSwitchedIsWell() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("0".utf8, to: "brightness")
    let settings = TriggerSettings(light: try LightChoice(parsing: "led:\(folder.url.path)"))
    #expect(TriggerCheck(settings: settings).findings().map(\.verdict) == [.ok])
    #expect(TriggerCheck(settings: TriggerSettings(light: try LightChoice(parsing: "torch"))).findings().isEmpty)
  }
}
