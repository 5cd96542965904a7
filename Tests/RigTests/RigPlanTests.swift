import Assembly
import Cameras
import Foundation
import Frames
import Rig
import SectionFile
import TestKit
import Testing

/// What a rig file makes of its cameras.
struct RigPlanTests {
  private let rig: PlannedRig

  init() throws { rig = try PlannedRig() }

  private static let two = """
    settings: /var/lib/rig
    sockets: /run/rig
    defaults: {microphone: none}
    cameras:
      front: {camera: /dev/video90}
      back: {camera: /dev/video91, output: back_%Y%m%d_%H%M%S.mkv, control: none, fps: 23.976}

    """

  @Test func whatAFileDoesNotSayTheRigAdds() throws {
    let plan = try rig.plan(Self.two), states = rig.places.socketsFolder ?? "/run/rig"
    #expect(plan.findings == [] && plan.cameras.map(\.name) == ["front", "back"])
    #expect(
      plan.cameras[0].arguments == [
        "--microphone=none", "--camera=/dev/video90", "--output=front_%Y-%m-%d_%H-%M-%S.mov",
        "--settings=/var/lib/rig/front.json", "--control=/run/rig/front.sock", "--name=front",
        "--state=\(states)/front.state.json",
      ])
    #expect(plan.cameras[1].arguments.filter { $0.hasPrefix("--control") } == ["--control=none"])
    #expect(plan.cameras[1].arguments.filter { $0.hasPrefix("--output") } == ["--output=back_%Y%m%d_%H%M%S.mkv"])
    let settings = plan.cameras[1].settings
    #expect(settings.recording.source.camera?.written == "/dev/video91" && settings.recording.microphone == .none)
    #expect(try settings.recording.source.frameRate == FrameRate(argument: "23.976"))
    #expect(settings.settingsFile == "/var/lib/rig/back.json" && settings.control == "none")
  }

  @Test func settingsAreKeptBesideOthersOfThisUser_orNowhere() throws {
    let text = "cameras: {front: {camera: /dev/video90, microphone: none}}\n"
    let plan = try rig.plan(text), nowhere = try rig.plan("settings: none\n" + text)
    #expect(plan.settingsFolder == rig.places.settingsFolder(rig: plan.path))
    #expect(plan.cameras[0].settings.settingsFile == "\(plan.settingsFolder ?? "")/front.json")
    #expect(nowhere.settingsFolder == nil && nowhere.cameras[0].settings.settingsFile == nil)
  }

  /// Writes what one camera has kept.
  ///
  /// - Returns: a rig file with that camera.
  private func keep(_ kept: String) throws -> String {
    _ = try rig.folder.write(kept.utf8, to: "front.json")
    return """
      settings: \(rig.folder.url.path)
      cameras:
        front: {camera: /dev/video90, microphone: none, output: "\(rig.folder.path("%Y%m%d_%H%M%S.mov"))"}

      """
  }

  private func notes(of text: String) throws -> [String] {
    try rig.plan(text, looksAround: true).findings.filter { $0.severity == .note }.map(\.message)
  }

  @Test(arguments: [false, true]) func controlsSetAtRunTimeAreNoted(ofTwoCameras: Bool) throws {
    let other = #",{"camera":"other","name":"zoom","value":"2"}"#
    let kept =
      #"{"version":1,"settings":[],"controls":[{"camera":"one","name":"white-balance","value":"cloudy"}"#
      + (ofTwoCameras ? other : "") + "]}"
    let text = try keep(kept), notes = try self.notes(of: text)
    let undo = "as set at run time ('camrec ctl --name front forget' undoes that)"
    #expect(
      notes == (ofTwoCameras
        ? ["white-balance of one will be cloudy, \(undo)", "zoom of other will be 2, \(undo)"]
        : ["white-balance will be cloudy, \(undo)"]))
    #expect(try rig.plan(text).findings == [], "only whoever looks around reads it")
  }

  @Test func anExposureSetAtRunTimeIsNotedWithWhatItsModeUses() throws {
    let kept =
      #"{"version":1,"controls":[],"settings":[{"key":"exposure","value":"manual","was":"shutter-priority"},"#
      + #"{"key":"shutter-angle","value":"90","was":"180"},{"key":"ev","value":"1","was":"0"}]}"#
    let notes = try self.notes(of: keep(kept))
    let undo = "('camrec ctl --name front forget' undoes that)"
    #expect(
      notes == [
        "exposure will be manual, as set at run time; the file says shutter-priority \(undo)",
        "shutter-angle will be 90, as set at run time; the file says 180 \(undo)",
        "ev will be 1 as soon as the exposure follows the light, as set at run time; the file says 0 \(undo)",
      ])
  }

  /// As earlier versions have kept it.
  @Test func anISOWithoutAValueIsNotNoted() throws {
    let kept =
      #"{"version":1,"controls":[],"settings":[{"key":"exposure","value":"auto","was":"shutter-priority"},"#
      + #"{"key":"iso","value":"","was":""}]}"#
    let notes = try self.notes(of: keep(kept))
    #expect(
      notes == [
        "exposure will be auto, as set at run time; the file says shutter-priority "
          + "('camrec ctl --name front forget' undoes that)"
      ])
  }

  /// The camera records all the same.
  @Test func metricsAndStateThatCannotBeWrittenAreWarnedOf() throws {
    func warnings(_ place: String) throws -> [FileFinding] {
      let text = """
        settings: none
        cameras:
          front:
            camera: /dev/video90
            microphone: none
            output: "\(rig.folder.path("%Y%m%d_%H%M%S.mov"))"
            metrics: "\(place)/a.prom"
            state: "\(place)/a.state.json"

        """
      return try rig.plan(text, looksAround: true).findings.filter { $0.severity == .warning }
    }
    #expect(try warnings(rig.folder.url.path) == [])
    let gone = rig.folder.path("gone"), found = try warnings(gone)
    #expect(found.map(\.severity) == [.warning, .warning])
    #expect(found.map(\.key) == ["cameras.front.metrics", "cameras.front.state"])
    #expect(
      found.map(\.message) == [
        "this camera has no metrics: the folder of '\(gone)/a.prom' does not exist; create it or choose "
          + "another metrics",
        "this camera has no state file: the folder of '\(gone)/a.state.json' does not exist; create it or choose "
          + "another state",
      ])
    let foreign = rig.folder.path("foreign"), files = FileManager.default
    try files.createDirectory(atPath: foreign + "/a.state.json", withIntermediateDirectories: true)
    try Data("my notes\n".utf8).write(to: URL(fileURLWithPath: foreign + "/a.prom"))
    #expect(
      try warnings(foreign).map(\.message) == [
        "this camera has no metrics: '\(foreign)/a.prom' is not a metrics file written by camrec, and is not "
          + "overwritten; choose another name, or delete it",
        "this camera has no state file: '\(foreign)/a.state.json' is a folder; name a file in it",
      ])
    #expect(try String(contentsOfFile: foreign + "/a.prom", encoding: .utf8) == "my notes\n")
  }

  @Test func relativePathsBeginWhereTheFileIs() throws {
    var entered: [String] = []
    let plan = try rig.plan(Self.two) { folder in
      entered.append(folder)
      return true
    }
    #expect(entered == [rig.folder.url.path] && plan.folder == rig.folder.url.path)
    #expect(plan.path == rig.folder.path("rig.yaml"))
    let error = #expect(throws: CamrecError.self) { try rig.plan(Self.two) { _ in false } }
    #expect(error?.code == .input && error?.message.hasSuffix("of the rig file cannot be entered") == true)
  }

  @Test func mistakesAreFoundInTheOrderOfTheFile_andADefaultsOnce() throws {
    let plan = try rig.plan(
      """
      defaults: {fps: fast}
      cameras:
        front: {camera: video0}
        back: {camera: /dev/video91, shutter: 90}

      """)
    let lines = plan.findings.map { $0.line(file: "rig.yaml") }
    #expect(lines.count == 3 && plan.hasErrors && plan.cameras.isEmpty, "\(lines)")
    #expect(lines[0].hasPrefix("rig.yaml:1:17: error: defaults.fps: a frame rate is "))
    #expect(lines[1].hasPrefix("rig.yaml:3:19: error: cameras.front.camera: a camera is /dev/videoN, "))
    #expect(lines[2].hasPrefix("rig.yaml:4:32: error: cameras.back.shutter: there is no key 'shutter'"))
  }

  @Test func aNameThatIsAlwaysTheSameIsRefused() throws {
    let plan = try rig.plan("cameras: {front: {camera: /dev/video90, output: film.mov}}\n")
    #expect(plan.findings.map(\.key) == ["cameras.front.output"] && plan.hasErrors)
    #expect(plan.findings[0].message.contains("'front_%Y-%m-%d_%H-%M-%S.mov'"), "the remedy has the camera's name")
  }

  @Test func aReportHasTheFindings_andASentenceIfThereAreNoErrors() throws {
    let good = RigReport(file: "rig.yaml", try rig.plan(Self.two))
    #expect(
      good.status == 0 && good.lines == [
        "rig.yaml: 2 cameras (front, back), no errors; to look for the cameras, run camrec doctor rig.yaml"
      ])
    let data = try JSONEncoder().encode(good)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(Set(object.keys) == ["file", "cameras", "findings", "status"])
    #expect((object["cameras"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["front", "back"])
    let bad = RigReport(file: "rig.yaml", try rig.plan("cameras: {front: {fps: fast}}\n"))
    #expect(bad.status == 64 && bad.lines.count == 1 && bad.findings.first?.line == 1)
    let unread = RigReport(file: "rig.yaml", CamrecError(.input, "it cannot be read"))
    #expect(unread.status == 65 && unread.lines == ["rig.yaml: error: it cannot be read"])
  }
}
