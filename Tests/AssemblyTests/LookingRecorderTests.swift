import Assembly
import Cameras
import Frames
import Recorder
import Testing

/// A recorder for somebody who only looks at a camera.
struct LookingRecorderTests {
  private func looker(at camera: WalkingCamera) throws -> LookingRecorder {
    let providers = CameraProviders([camera])
    let source = SourceSettings(
      camera: try providers.address(parsing: "walk"), size: try FrameSize(parsing: "160x96"),
      frameRate: try FrameRate(argument: "25"))
    return try LookingRecorder(RecordingSettings(source: source), among: providers)
  }

  /// Not that the recorder has ended.
  @Test func whoeverLooksIsToldWhatIsWrongWithTheCamera() throws {
    let camera = try WalkingCamera()
    camera.isAway = true
    let recorder = try looker(at: camera)
    defer { recorder.close() }
    for _ in 0..<2 {
      let error = #expect(throws: CamrecError.self) { _ = try recorder.service.runningCamera() }
      #expect(error == CamrecError(.device, "the walking camera is away"))
    }
    camera.isAway = false
    _ = try recorder.service.runningCamera()
  }

  @Test func theCameraIsOpenedOnce() throws {
    let camera = try WalkingCamera(), recorder = try looker(at: camera)
    defer { recorder.close() }
    _ = try recorder.service.runningCamera()
    #expect(camera.checks == 1)
  }
}
