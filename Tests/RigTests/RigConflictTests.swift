import Frames
import Rig
import SectionFile
import Testing

/// What two cameras of a rig cannot share.
struct RigConflictTests {
  private let rig: PlannedRig

  init() throws { rig = try PlannedRig() }

  private func findings(_ front: String, _ back: String) throws -> [FileFinding] {
    try rig.plan("cameras:\n  front: {\(front)}\n  back: {\(back)}\n").findings
  }

  @Test func everythingThatIsTwice_isNamedAtTheSecond() throws {
    let same = "camera: /dev/video90, output: a_%H%M%S.mov, control: /run/a.sock, metrics: /m.prom"
      + ", settings: /s.json, state: /a.state.json, exposure-trace: t_%H%M%S.trace"
    let found = try findings(same, same)
    #expect(
      found.map { "\($0.severity.rawValue) \($0.key ?? "")" } == [
        // No microphone is given: both have the default one.
        "error cameras.back", "error cameras.back.camera", "error cameras.back.output", "error cameras.back.control",
        "error cameras.back.metrics", "error cameras.back.settings", "error cameras.back.state",
        "warning cameras.back.exposure-trace",
      ])
    #expect(found.allSatisfy { $0.place?.line == 3 && $0.message.contains(" is already used by front") })
    #expect(found[1].message == "the camera '/dev/video90' is already used by front; choose another one")
  }

  /// One error hides no other.
  @Test(arguments: ["fps: fast", "fsp: 3"])
  func whatIsTwiceIsNamed_evenIfTheCameraHasAnErrorOfItsOwn(error: String) throws {
    let same = "camera: /dev/video90, microphone: \"hw:1\", output: a_%H%M%S.mov, metrics: /m.prom"
    let keys = ["camera", "microphone", "output", "metrics"].map { "cameras.back.\($0)" }
    for (front, back) in [("\(same), \(error)", same), (same, "\(same), \(error)")] {
      let found = try findings(front, back).filter { $0.message.contains(" is already used by front") }
      #expect(found.map(\.key) == keys, "\(front), \(back)")
    }
  }

  /// Nobody knows what they will be.
  @Test func valuesThatAreRefusedAreNotShared() throws {
    let unread = try findings("camera: /dev/video90", "camera: /dev/video91, microphone: {}")
    #expect(unread.map(\.key) == ["cameras.back.microphone"], "\(unread)")
    // The default microphone is not used if the camera turns out to be a clip.
    let unknown = try findings("camera: /dev/video90", "camera: video0")
    #expect(unknown.map(\.key) == ["cameras.back.camera"], "\(unknown)")
    let wrong = try rig.plan(
      "defaults: {camera: video0}\ncameras: {front: {}, back: {microphone: none}}\n").findings
    #expect(wrong.map(\.key) == ["defaults.camera"], "\(wrong)")
  }

  @Test func whatIsNoneIsNotShared() throws {
    let both = "microphone: none, control: none, state: none"
    #expect(try findings("camera: /dev/video90, \(both)", "camera: /dev/video91, \(both)") == [])
  }

  @Test func simulatedCamerasAndTheirSoundAreNotShared() throws {
    #expect(try findings("camera: \"sim:seed=1\"", "camera: \"sim:seed=1\"") == [])
  }

  @Test func aMicrophoneIsSharedByItsName() throws {
    let found = try findings(
      "camera: \"sim:seed=1\", microphone: \"hw:1\"", "camera: /dev/video91, microphone: \"hw:1\"")
    #expect(found.map(\.key) == ["cameras.back.microphone"])
    #expect(found.first?.message.hasPrefix("the microphone 'hw:1' is already used by front; ") == true)
  }

  @Test func aHashRecordingNeedsNoMicrophone() throws {
    let found = try findings(
      "camera: /dev/video90", "camera: /dev/video91, output: a_%H%M%S.framemd5")
    #expect(found == [])
  }

  @Test func severalCamerasNeedTheirDevices_oneDoesNot() throws {
    let found = try findings("microphone: none", "camera: /dev/video91, microphone: none")
    #expect(found.map(\.key) == ["cameras.front"] && found.first?.severity == .error)
    #expect(found.first?.message.contains("needs each one's device") == true)
    #expect(try rig.plan("cameras: {front: {microphone: none}}\n").findings == [])
  }
}
