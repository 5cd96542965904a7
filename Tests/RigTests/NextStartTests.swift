import Assembly
import Cameras
import Doctor
import Frames
import Rig
import TestKit
import Testing

/// What the doctor takes for the next start of a rig's camera.
@Suite struct NextStartTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// As a rig file says, beside these saved settings.
  private func told(saved: String) throws -> ServiceSettings {
    let text = #"{"version":1,"controls":[],"settings":["# + saved + "]}"
    _ = try folder.write(text.utf8, to: "bee.json")
    var settings = ServiceSettings(settingsFile: folder.path("bee.json"))
    settings.recording.source = SourceSettings(
      camera: try CameraAddress(parsing: "sim"), size: try FrameSize(parsing: "320x180"),
      frameRate: try FrameRate(argument: "25"))
    return settings
  }

  @Test func savedSettingsWin() throws {
    let filed = try told(
      saved: #"{"key":"ev","value":"1","was":"0"},{"key":"fps","value":"60","was":"25"}"#)
    let start = NextStart(filed, name: "bee")
    var source = filed.recording.source
    source.frameRate = try FrameRate(argument: "60")
    #expect(start.settings.recording.source == source)
    #expect(
      start.finding?.finding
        == "settings made at run time win at the next start, and are checked here: fps is 60 instead of 25")
    #expect(start.finding?.verdict == .ok)
  }

  @Test func withoutSavedOnes_orAfterTheFileChanged_theFileWins() throws {
    for saved in ["", #"{"key":"fps","value":"60","was":"30"}"#] {
      let filed = try told(saved: saved), start = NextStart(filed, name: "bee")
      #expect(start.settings == filed && start.finding == nil)
    }
  }

  /// So the recorder starts as the file says.
  @Test func aSavedCameraThatIsGone_isWarnedOf() throws {
    let filed = try told(saved: #"{"key":"camera","value":"/dev/video4711","was":"sim"}"#)
    let start = NextStart(filed, name: "bee")
    #expect(start.settings == filed && start.finding?.verdict == .warning)
    #expect(start.finding?.finding.contains("/dev/video4711") == true, "\(start.finding as Any)")
    #expect(
      start.finding?.remedy
        == "make the camera ready, or run 'camrec ctl --name bee forget' while the rig runs")
  }

  /// The one that it was set for may be unplugged.
  @Test func aSavedModeThatThisCameraLacks_isNotOnlyToBeForgotten() throws {
    for saved in [#"{"key":"fps","value":"500","was":"25"}"#, #"{"key":"size","value":"8000x4500","was":"320x180"}"#] {
      let filed = try told(saved: saved), start = NextStart(filed, name: "bee")
      #expect(start.settings == filed && start.finding?.verdict == .warning)
      #expect(
        start.finding?.remedy
          == "make the camera ready, or run 'camrec ctl --name bee forget' while the rig runs")
    }
  }

  /// No camera is ready for it.
  @Test func aSavedValueThatIsInvalid_canOnlyBeForgotten() throws {
    let filed = try told(saved: #"{"key":"fps","value":"many","was":"25"}"#)
    let start = NextStart(filed, name: "bee")
    #expect(start.settings == filed && start.finding?.verdict == .warning)
    #expect(start.finding?.remedy == "run 'camrec ctl --name bee forget' while the rig runs")
  }
}
