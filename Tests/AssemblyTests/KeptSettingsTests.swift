import Assembly
import Cameras
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

  @Test(arguments: [ExposureOptions.Mode.manual, .locked, .camera])
  func whatTheModeDoesNotUseIsKeptForAnother(mode: ExposureOptions.Mode) throws {
    let settings = RecordingSettings()
    let exposure = ExposureOptions(
      mode: mode, angle: try ShutterAngle(parsing: "90"), bias: Stops(1), metering: .highlightWeighted)
    try KeptSettings(path: path, settings).keep(RecorderSettings(exposure: exposure))
    let (resumed, warnings) = resume(settings)
    #expect(warnings == [])
    var expected = exposure
    expected.locksWithAngle = mode == .locked
    #expect(resumed.exposure == expected)
    var notes: [String] = []
    _ = KeptSettings(path: path, settings).resume(
      check: { (_) throws(CamrecError) in }, warn: { _ in }, note: { notes.append($0) })
    let later = "as soon as the exposure follows the light"
    let list = ", ev is 1 instead of 0 \(later), metering is highlight instead of centre \(later);"
    #expect(notes.count == 1 && notes[0].contains(list), "\(notes)")
    // All that differs is kept again.
    try KeptSettings(path: path, settings).keep(resumed)
    #expect(
      try KeptSettings(path: path, settings).entries().holding.map(\.key)
        == ["exposure", "shutter-angle", "ev", "metering"])
  }

  /// The mode is the same, so it is not kept.
  @Test func aLockThatTheStartHasToo_beginsWithAKeptAngleOnly() throws {
    var settings = RecordingSettings()
    settings.exposure.mode = .locked
    var exposure = settings.exposure
    exposure.bias = Stops(1)
    try KeptSettings(path: path, settings).keep(RecorderSettings(exposure: exposure))
    #expect(resume(settings).settings.exposure?.locksWithAngle == false, "the camera's own exposure time")
    exposure.angle = try ShutterAngle(parsing: "90")
    try KeptSettings(path: path, settings).keep(RecorderSettings(exposure: exposure))
    #expect(resume(settings).settings.exposure?.locksWithAngle == true)
  }

  /// The mode leaves ISO to the automatic.
  @Test func anISOThatTheModeHasForgottenIsNotKept() throws {
    var settings = RecordingSettings()
    (settings.exposure.mode, settings.exposure.iso) = (.manual, 400)
    try KeptSettings(path: path, settings).keep(RecorderSettings(exposure: ExposureOptions()))
    #expect(try KeptSettings(path: path, settings).entries().holding.map(\.key) == ["exposure"])
    #expect(resume(settings).settings.exposure == ExposureOptions())
    // As earlier versions have written it.
    let text = #"{"version":1,"controls":[],"settings":[{"key":"iso","value":"","was":"400"}]}"#
    let old = try folder.write(text.utf8, to: "old.json")
    for iso in [400.0, 800] {
      settings.exposure.iso = iso
      let kept = KeptSettings(path: old, settings), (holding, _, outdated) = try kept.entries()
      #expect(holding == [] && outdated == [])
      var warnings: [String] = []
      let resumed = kept.resume(check: { (_) throws(CamrecError) in }, warn: { warnings.append($0) })
      #expect(resumed.exposure == settings.exposure && warnings == [])
    }
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

  /// Nobody sees them on the command line, whether it gives their options or not.
  @Test func whatIsRestoredIsNamedInOneSentence() throws {
    let settings = RecordingSettings(), rate = try FrameRate(argument: "23.976")
    func notes(refusing refusal: CamrecError? = nil, name: RecorderName? = nil) -> [String] {
      var notes: [String] = []
      _ = KeptSettings(path: path, settings, name: name).resume(
        check: { (_) throws(CamrecError) in if let refusal { throw refusal } }, warn: { _ in },
        note: { notes.append($0) })
      return notes
    }
    #expect(notes() == [], "nothing is saved")
    var kept = try changed()
    try KeptSettings(path: path, settings).keep(kept)
    let begin = "camrec starts with saved settings: shutter-angle is 172.8 instead of 180, ev is 0.333 instead of 0, "
      + "metering is spot:0.25,0.75 instead of centre, "
    let balance = "white-balance is 3200", end = "; 'camrec ctl forget' deletes them"
    let source = "fps is \(rate.description), size is 1280x720, "
    #expect(notes() == [begin + source + balance + end])
    #expect(notes(refusing: CamrecError(.usage, "no")) == [begin + balance + end], "the camera stays as it was")
    kept = RecorderSettings(exposure: settings.exposure, controls: kept.controls)
    kept.controls.append(RecorderSettings.Control(camera: "other", name: "zoom", value: "2"))
    try KeptSettings(path: path, settings).keep(kept)
    let both = "camrec starts with saved settings: white-balance of cam is 3200, zoom of other is 2"
    #expect(notes() == [both + end])
    let front = try RecorderName(parsing: "front")
    #expect(notes(name: front) == [both + "; 'camrec ctl --name front forget' deletes them"], "one of a rig's")
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
