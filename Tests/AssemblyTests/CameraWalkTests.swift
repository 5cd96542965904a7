import Foundation
import Frames
import Platform
import Testing

/// Random walks of a recorder in standby against a plain model: commands, viewers, a camera and a microphone that go
/// and come, a disk that refuses. `CAMREC_WALKS` sets how many seeds are walked, for a long run.
@Suite(.serialized) struct CameraWalkTests {
  private static let seeds: Range<UInt64> =
    0..<(ProcessInfo.processInfo.environment["CAMREC_WALKS"].flatMap(UInt64.init) ?? 3)

  @Test(arguments: CameraWalkTests.seeds, [false, true])
  func theRecorderDoesWhatTheModelSays(seed: UInt64, hasPreRoll: Bool) throws {
    try CameraWalk(seed: seed, hasPreRoll: hasPreRoll).run(steps: 14)
  }

  /// Images that are encoded take another way: while no film decodes them, the camera's own thread meters them.
  @Test(arguments: CameraWalkTests.seeds) func encodedImagesDoTheSame(seed: UInt64) throws {
    try CameraWalk(seed: seed + 100, hasPreRoll: seed % 2 == 1, pixelFormat: "mjpeg").run(steps: 10)
  }

  /// The camera is started once, and each film has all its frames.
  @Test(arguments: [false, true]) func fiveFilmsWithAViewerHaveOneStream(hasPreRoll: Bool) throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: hasPreRoll)
    try walk.take(.look)
    for _ in 0..<5 {
      try walk.take(.start)
      try walk.take(.stop)
    }
    try walk.take(.leave)
    try walk.finish()
    #expect(walk.camera.starts == 1 && walk.notes.films.count == 5)
  }

  @Test func theCameraRestsWhenTheLastOneWhoLooksHasLeft() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false, rest: 0.3)
    try walk.take(.look)
    for _ in 0..<20 {
      WorkThread.sleep(.milliseconds(50))
      #expect(walk.camera.running == 1, "somebody looks")
    }
    try walk.take(.leave)
    for _ in 0..<3000 where walk.camera.running > 0 { WorkThread.sleep(.milliseconds(10)) }
    #expect(walk.camera.running == 0)
    try walk.finish()
  }
}
