import CameraTestKit
import Cameras
import Exposure
import Frames
import Recorder
import Testing

/// What metering and bracketing make of a gain, and that they leave it as it is.
@Suite struct StillGainTests {
  private static func camera(_ options: String) throws -> (camera: ActingCamera, controls: WatchedControls) {
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,\(options)"),
      request: CameraRequest(width: 96, height: 54, pixelFormat: "nv12"), clock: SimulatedClock(pace: .pulled),
      frames: 4)
    let controls = WatchedControls(try #require(camera.controls))
    return (ActingCamera(camera, controls: controls), controls)
  }

  private static let speeds = try! ["1/125", "1/60", "1/30"].map { try ShutterSpeed(parsing: $0) }

  @Test func theGainStaysAsItIs() throws {
    for options in ["sensitivity=gain", "sensitivity=iso", "sensitivity=thirds"] {
      let (camera, controls) = try Self.camera(options)
      var shots: [BracketCapture.Shot] = []
      try BracketCapture(camera, converter: nil).take([Self.speeds], baseISO: 100) { shot, _ in shots.append(shot) }
      _ = try SpotMeter(camera, converter: nil).read(x: 0.2, y: 0.2)
      #expect(shots.count == 3)
      #expect(!controls.sets.contains { $0.control == .gain || $0.control == .iso }, "\(options): \(controls.sets)")
    }
  }

  @Test func anISOThatNobodyHasMeasuredIsRelative() throws {
    let (own, _) = try Self.camera("sensitivity=gain")
    let relative = try SpotMeter(own, converter: nil).read(x: 0.2, y: 0.2)
    #expect(relative.isRelative && (relative.iso ?? 0) > 100)
    var shots: [BracketCapture.Shot] = []
    try BracketCapture(try Self.camera("sensitivity=gain").camera, converter: nil).take([Self.speeds], baseISO: 200) {
      shot, _ in shots.append(shot)
    }
    #expect(shots.allSatisfy { $0.isRelative && $0.iso == shots[0].iso && ($0.iso ?? 0) > 200 })
    let (told, _) = try Self.camera("sensitivity=iso")
    let absolute = try SpotMeter(told, converter: nil).read(x: 0.2, y: 0.2)
    #expect(!absolute.isRelative && abs((absolute.iso ?? 0) - 100) < 0.5)
  }
}
