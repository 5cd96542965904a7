import Bake
import BakeTestKit
import CameraTestKit
import Cameras
import Color
import Frames
import MovieTestKit
import Movies
import Platform
import Recorder
import Synchronization
import Testing

/// Recordings whose frames are baked on a device, several at once.
@Suite struct BakeDeviceSessionTests {
  static let format = FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709)

  static func record(
    _ camera: any Camera, sink: CollectingSink, fault: ScriptedBakeDevice.Fault? = nil
  ) throws -> (summary: SessionSummary, warnings: [String]) {
    let options = SessionOptions(overload: .wait)
    // A copy, so that the first byte still says which frame it is.
    let baker = try Baker(
      input: format, outputLayout: .nv12, outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1,
      frames: options.bakedFrames, passesThrough: false, on: .gpu,
      makeDevice: { ScriptedBakeDevice($0, frames: $1, fault: fault) })
    let notes = RecordingSessionTests.Notes()
    let parts = RecordingSession.Parts(
      camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil, openSink: { _ in (sink, "") })
    let session = RecordingSession(parts: parts, options: options, timeBase: RecordingSessionTests.timeBase)
    return (session.run(observer: notes), notes.warnings)
  }

  @Test(arguments: [nil, ScriptedBakeDevice.Fault.begin(1), .begin(40), .finish(1), .finish(77)])
  func everyFrameArrivesOnceInOrder_alsoWhereTheDeviceIsLost(fault: ScriptedBakeDevice.Fault?) throws {
    let camera = ScriptedCamera([.frames(120)], rate: RecordingSessionTests.rate), sink = CollectingSink()
    let (summary, warnings) = try Self.record(camera, sink: sink, fault: fault)
    #expect(sink.contents.ticks == (0..<120).map { $0 * 1000 })
    #expect(sink.contents.firstBytes == (0..<120).map { UInt8($0) })
    #expect(summary.counts.written == 120 && summary.counts.totalLost == 0 && summary.failure == nil)
    #expect(warnings.count == (fault == nil ? 0 : 1))
    #expect(warnings.allSatisfy { $0.hasPrefix("scripted device failed: the CPU bakes from here on") })
    #expect(camera.freeFrames == 8, "every frame went back to its pool")
  }

  /// Hands over a frame only when the one before is in the sink.
  final class PatientCamera: Camera {
    let name = "patient camera"
    let warnings: [String] = []
    let format: CameraFormat
    private let script: ScriptedCamera
    private let sink: CollectingSink
    private let handedOver = Atomic<Int>(0)

    init(_ script: ScriptedCamera, sink: CollectingSink) {
      self.script = script
      self.sink = sink
      format = script.format
    }

    func start() throws(CamrecError) {}
    func stop() {}

    func next() throws(CamrecError) -> CameraEvent {
      let count = handedOver.load(ordering: .relaxed)
      for _ in 0..<5000 where sink.contents.ticks.count < count { WorkThread.sleep(.milliseconds(1)) }
      if sink.contents.ticks.count < count { throw CamrecError(.device, "frame \(count) waits for the next one") }
      handedOver.add(1, ordering: .relaxed)
      return try script.next()
    }
  }

  @Test func aFrameDoesNotWaitForTheNext() throws {
    let sink = CollectingSink()
    // The last call is the end, for which there is no frame.
    let script = ScriptedCamera([.frames(20)], rate: RecordingSessionTests.rate)
    let (summary, _) = try Self.record(PatientCamera(script, sink: sink), sink: sink)
    #expect(summary.failure == nil && sink.contents.ticks.count == 20)
  }
}
