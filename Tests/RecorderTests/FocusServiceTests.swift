import CameraTestKit
import Cameras
import Frames
import Platform
import Recorder
import RecorderAPI
import Synchronization
import Testing

/// The focus of a running camera, in two phases, watched by a thread of its own.
@Suite struct FocusServiceTests {
  /// What was said, on any thread.
  private final class Said: Sendable {
    private let sentences = Mutex<[String]>([])
    var all: [String] { sentences.withLock { $0 } }
    func say(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
  }

  private static func camera() throws -> SimulatedCamera {
    try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled,physics=fast"),
      request: CameraRequest(width: 64, height: 36, pixelFormat: "nv12"), clock: SimulatedClock(pace: .pulled),
      frames: 2)
  }

  /// Waits, as long as it takes: it ends by the sequence's own patience.
  private static func outcome(_ focus: FocusService) -> RecorderState.Focus {
    while focus.status.phase == .searching { WorkThread.sleep(.milliseconds(5)) }
    return focus.status
  }

  // MARK: A camera with a trigger

  /// The wall is far, the table near.
  @Test(arguments: [(0.9, 160.0), (0.1, 60)])
  func theTriggerIsWatchedAndHeld(y: Double, distance: Double) throws {
    let camera = try Self.camera(), controls = try #require(camera.controls)
    let focus = FocusService(controls)
    #expect(focus.status == RecorderState.Focus(phase: .free))
    try camera.start()
    try focus.begin(at: (0.1, y))
    #expect(focus.status.phase == .searching)
    while focus.status.phase == .searching { _ = try camera.next() }
    #expect(focus.status == RecorderState.Focus(phase: .held, distance: distance))
    #expect(try controls.value(of: .autofocus) == .flag(false) && focus.failure == nil)
    try focus.release()
    #expect(focus.status == RecorderState.Focus(phase: .free))
    #expect(try controls.value(of: .autofocus) == .flag(true))
  }

  @Test func aCameraThatFindsNothing_isSaid() throws {
    let controls = ScriptedCameraControls([
      .focusTrigger: .none, .focusState: .choice("busy"), .focusDistance: .number(7),
    ])
    let said = Said(), focus = FocusService(controls) { said.say($0) }
    try focus.begin()
    controls[.focusState] = .choice("failed")
    #expect(Self.outcome(focus).phase == .failed)
    let sentence =
      "scripted camera found no focus; add light, or point it at something with clear edges"
    focus.close()
    #expect(focus.failure == sentence && said.all == [sentence])
    // The next search begins afresh.
    let again = FocusService(controls)
    try again.begin()
    #expect(again.status.phase == .searching && again.failure == nil)
  }

  @Test func aCameraThatGoesAway_isSaid() throws {
    let controls = ScriptedCameraControls([.focusTrigger: .none, .focusState: .choice("busy")])
    let said = Said(), focus = FocusService(controls) { said.say($0) }
    try focus.begin()
    controls.fallSilent()
    #expect(Self.outcome(focus).phase == .failed && focus.failure == "scripted camera was unplugged")
    focus.close()
    #expect(said.all == ["cannot focus: scripted camera was unplugged"])
  }

  // MARK: A camera that only focuses all the time

  @Test func aContinuousAutofocusIsHeldWhenItsDistanceStands() throws {
    let controls = ScriptedCameraControls([.autofocus: .flag(false), .focusDistance: .number(10)])
    let focus = FocusService(controls)
    try focus.begin()
    #expect(controls[.autofocus] == .flag(true))
    controls[.focusDistance] = .number(120)
    #expect(Self.outcome(focus) == RecorderState.Focus(phase: .held, distance: 120))
    #expect(controls[.autofocus] == .flag(false))
  }

  @Test func aPointThatTheCameraCannotBeTold_isSaidOnce() throws {
    let controls = ScriptedCameraControls([.autofocus: .flag(false), .focusDistance: .number(10)])
    let said = Said(), focus = FocusService(controls) { said.say($0) }
    try focus.begin(at: (0.5, 0.5))
    try focus.begin(at: (0.25, 0.5))
    #expect(said.all == ["scripted camera has no focus-point; its autofocus chooses the place"])
  }

  // MARK: A switch

  @Test func theHoldSurvivesASwitch() throws {
    let first = ScriptedCameraControls([
      .focusTrigger: .none, .focusState: .choice("reached"), .focusDistance: .number(90),
    ])
    let focus = FocusService(first)
    try focus.begin()
    #expect(Self.outcome(focus) == RecorderState.Focus(phase: .held, distance: 90))
    focus.pause()
    let refused = #expect(throws: CamrecError.self) { try focus.begin() }
    #expect(refused?.code == .usage)
    #expect(refused?.message == "cannot focus: no camera with controls is open; start recording first")
    // The same camera in another format, with its lens somewhere else.
    first[.focusDistance] = .number(0)
    try focus.resume(first)
    #expect(first[.focusDistance] == .number(90) && focus.status == RecorderState.Focus(phase: .held, distance: 90))
    // Another camera looks anew.
    let other = ScriptedCameraControls(
      identity: "other", [.focusTrigger: .none, .focusState: .choice("reached"), .focusDistance: .number(30)])
    focus.pause()
    try focus.resume(other)
    #expect(other.sets == [ControlChange(.focusTrigger, .none)])
    #expect(Self.outcome(focus) == RecorderState.Focus(phase: .held, distance: 30))
    // And one without autofocus has lost it.
    let error = #expect(throws: CamrecError.self) { try focus.resume(ScriptedCameraControls(identity: "fixed", [:])) }
    #expect(error?.message == "scripted camera has no autofocus; its focus stays where it is set")
    #expect(focus.status.phase == .failed && focus.failure == error?.message)
  }

  @Test func aFreeFocusStaysFreeAfterASwitch() throws {
    let focus = FocusService(nil), controls = ScriptedCameraControls([.autofocus: .flag(false)])
    try focus.resume(controls)
    #expect(focus.status.phase == .free && controls.sets.isEmpty)
  }

  // MARK: What is refused

  @Test func withoutAutofocusNothingBegins() throws {
    let focus = FocusService(ScriptedCameraControls([.focusDistance: .number(10)]))
    let error = #expect(throws: CamrecError.self) { try focus.begin() }
    #expect(error?.message == "scripted camera has no autofocus; its focus stays where it is set")
    #expect(focus.status == RecorderState.Focus(phase: .free))
  }

  @Test(arguments: [(1.5, 0.5), (0.5, -0.1), (.nan, 0.5)])
  func aPointBesideThePictureIsRefused(x: Double, y: Double) throws {
    let controls = ScriptedCameraControls([.autofocus: .flag(false)])
    let error = #expect(throws: CamrecError.self) { try FocusService(controls).begin(at: (x, y)) }
    #expect(
      error?.code == .usage && error?.message.hasSuffix("lies outside the frame, which goes from 0,0 to 1,1") == true)
    #expect(controls.sets.isEmpty)
  }
}
