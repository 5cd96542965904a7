import Assembly
import Exposure
import Foundation
import Frames
import Recorder
import TestKit
import Testing

/// Settings that are changed while a recorder runs, and its next start.
struct KeptSettingsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("kept/front.json") }

  init() throws { folder = try TemporaryFolder() }

  private func changed() throws -> RecorderSettings {
    var exposure = ExposureOptions()
    exposure.bias = Stops(units: 341)
    exposure.angle = try ShutterAngle(parsing: "172.8")
    exposure.metering = .spot(x: 0.25, y: 0.75)
    return RecorderSettings(
      exposure: exposure, source: SourceChange(frameRate: try FrameRate(argument: "23.976"), size: "1280x720"),
      controls: [RecorderSettings.Control(camera: "cam", name: "white-balance", value: "3200")])
  }

  /// What a recorder that is started so begins with, and what it says of it.
  private func resume(
    _ settings: RecordingSettings, refusing refusal: CamrecError? = nil
  ) -> (settings: RecorderSettings, warnings: [String]) {
    var warnings: [String] = []
    let resumed = KeptSettings(path: path, settings).resume(
      check: { (_) throws(CamrecError) in if let refusal { throw refusal } }, warn: { warnings.append($0) })
    return (resumed, warnings)
  }

  @Test func whatWasChangedHoldsAtTheNextStart() throws {
    let settings = RecordingSettings()
    try KeptSettings(path: path, settings).keep(try changed())
    let (resumed, warnings) = resume(settings)
    #expect(try resumed == changed() && warnings == [])
  }

  @Test func withoutAFileItStartsAsItIsTold() {
    var settings = RecordingSettings()
    settings.exposure.bias = Stops(1)
    let (resumed, warnings) = resume(settings)
    #expect(resumed == RecorderSettings(exposure: settings.exposure) && warnings == [])
  }

  @Test func aNewValueOfTheCommandLineWins() throws {
    var settings = RecordingSettings()
    try KeptSettings(path: path, settings).keep(try changed())
    settings.exposure.bias = Stops(-1)
    let (resumed, warnings) = resume(settings)
    #expect(resumed.exposure?.bias == Stops(-1) && resumed.exposure?.metering == .spot(x: 0.25, y: 0.75))
    #expect(warnings == ["ev is now -1 instead of 0, so the saved 0.333 is dropped"])
    let (holding, controls, outdated) = try KeptSettings(path: path, settings).entries()
    #expect(outdated == [] && controls.count == 1)
    #expect(holding.map(\.key) == ["shutter-angle", "metering", "fps", "size"])
  }

  /// The value is the one before the change, so nobody's mind has changed; but it may be what somebody wants now.
  @Test func aGivenValueThatASavedOneReplacesIsNamed() throws {
    let settings = RecordingSettings()
    try KeptSettings(path: path, settings).keep(try changed())
    func notes(_ given: Set<String>, refusing refusal: CamrecError? = nil) -> [String] {
      var notes: [String] = []
      _ = KeptSettings(path: path, settings).resume(
        given: given, check: { (_) throws(CamrecError) in if let refusal { throw refusal } }, warn: { _ in },
        note: { notes.append($0) })
      return notes
    }
    let rest = ", as given now; 'camrec ctl forget' deletes saved settings"
    let ev = "ev is 0.333, as set at run time, not 0" + rest
    #expect(notes(["ev", "size", "mains"]) == [ev, "size is 1280x720, as set at run time, not unset" + rest])
    #expect(notes([]) == [] && notes(["ev", "size"], refusing: CamrecError(.usage, "no")) == [ev])
  }

  @Test func aDroppedSettingDoesNotComeBackWithTheOldValue() throws {
    var settings = RecordingSettings()
    settings.source.frameRate = try FrameRate(argument: "20")
    let kept = RecorderSettings(
      exposure: settings.exposure, source: SourceChange(frameRate: try FrameRate(argument: "30")))
    try KeptSettings(path: path, settings).keep(kept)
    settings.source.frameRate = try FrameRate(argument: "15")
    #expect(resume(settings).warnings == ["fps is now 15 instead of 20, so the saved 30 is dropped"])
    #expect(!FileManager.default.fileExists(atPath: path), "it kept nothing else")
    settings.source.frameRate = try FrameRate(argument: "20")
    let (resumed, warnings) = resume(settings)
    #expect(resumed.source == SourceChange() && warnings == [])
  }

  @Test func onlyLookingDropsNothing() throws {
    var settings = RecordingSettings()
    try KeptSettings(path: path, settings).keep(try changed())
    settings.exposure.bias = Stops(-1)
    for _ in 1...2 { #expect(try KeptSettings(path: path, settings).entries().outdated.map(\.key) == ["ev"]) }
  }

  @Test func aCameraThatCannotBeOpenedThatWayStaysAsItWas() throws {
    let settings = RecordingSettings()
    try KeptSettings(path: path, settings).keep(try changed())
    let (resumed, warnings) = resume(settings, refusing: CamrecError(.usage, "the camera has no 1280x720"))
    #expect(resumed.source == SourceChange() && resumed.exposure?.bias == Stops(units: 341))
    #expect(warnings == ["cannot restore the saved camera settings: the camera has no 1280x720"])
  }

  @Test func whatIsForgottenOrSetBackLeavesNoFile() throws {
    let settings = RecordingSettings(), kept = KeptSettings(path: path, settings)
    try kept.keep(try changed())
    #expect(FileManager.default.fileExists(atPath: path))
    try kept.keep(nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    try kept.keep(RecorderSettings(exposure: settings.exposure))
    #expect(!FileManager.default.fileExists(atPath: path), "nothing differs from its start")
  }

  @Test func aFileOfAnotherKindIsRefused_andSaid() throws {
    let other = try folder.write("{\"version\":2}".utf8, to: "other.json")
    #expect(throws: CamrecError.self) { try KeptSettings(path: other, RecordingSettings()).entries() }
    var warnings: [String] = []
    let resumed = KeptSettings(path: other, RecordingSettings()).resume(
      check: { (_) throws(CamrecError) in }, warn: { warnings.append($0) })
    #expect(resumed == RecorderSettings(exposure: ExposureOptions()) && warnings.count == 1)
    #expect(warnings[0].hasPrefix("cannot restore the saved settings: "))
  }
}
