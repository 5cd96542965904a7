import Bake
import Cameras
import Color
import Frames
import MovieTestKit
import Movies
import Platform
import Recorder
import Synchronization
import TestKit
import Testing

/// Films that somebody ends while their camera delivers nothing.
struct SilentStopTests {
  /// In real time. Long before the stream is started again, what was due counts.
  @Test func whatWasDueUntilTheStopIsLost() throws {
    let folder = try TemporaryFolder(), script = try folder.write("hang 12 deaf".utf8, to: "faults")
    let camera = try WatchedCamera(script)
    let sink = CollectingSink(), session = try Self.session(of: camera, into: sink)
    camera.whenSilent { session.requestStop() }
    let counts = session.run(observer: RecordingSessionTests.Notes()).counts
    #expect(counts.lost(.deviceGap) >= 22, "a second without a frame: \(counts)")
    #expect(counts.expected == counts.written + counts.totalLost && counts.underway == 0)
    #expect(sink.contents.endTicks == Int64(counts.expected) * 1000, "the last frame lasts until the stop")
  }

  /// In real time. Frames that wait in the camera for a busy machine do not make it silent.
  @Test func whatNobodyHasAskedForIsNoLoss() throws {
    let camera = try StarvedCamera(), session = try Self.session(of: camera, into: CollectingSink())
    camera.whenStarved { session.requestStop() }
    let counts = session.run(observer: RecordingSessionTests.Notes()).counts
    #expect(counts.expected == camera.framesDue, "\(counts)")
  }

  private static func session(of camera: any Camera, into sink: CollectingSink) throws -> RecordingSession {
    let baker = try Baker(
      input: FrameFormat(width: 64, height: 36, layout: .nv12, color: camera.format.color), outputLayout: .nv12,
      outputColor: camera.format.color, lut: nil, interpolation: .tetrahedral, workers: 1,
      frames: SessionOptions().bakedFrames)
    return RecordingSession(
      parts: RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
        openSink: { _ throws(CamrecError) in (sink, "") }),
      options: SessionOptions(), timeBase: RecordingSessionTests.timeBase)
  }

  /// A frame that is a little late is no loss.
  @Test(arguments: [("25", 500_000_000), ("120", 500_000_000), ("2", 1_500_000_000), ("1", 3_000_000_000)])
  func framesMayBeLate(rate: String, nanoseconds: Int64) throws {
    #expect(CameraSilence.lateness(try FrameRate(argument: rate)) == nanoseconds)
  }
}

/// A simulated camera; says when it has been silent for a second.
private final class WatchedCamera: Camera {
  private let camera: SimulatedCamera
  private let state = Mutex((last: MonotonicTime.now(), action: {} as @Sendable () -> Void))

  /// - Parameter script: the path of a fault script.
  init(_ script: String) throws {
    camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "physics=fast,faults=\(script)"),
      request: CameraRequest(width: 64, height: 36, frameRate: RecordingSessionTests.rate, pixelFormat: "nv12"),
      clock: SimulatedClock())
  }

  func whenSilent(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.action = action } }

  var name: String { camera.name }
  var format: CameraFormat { camera.format }
  var warnings: [String] { camera.warnings }
  var controls: (any CameraControls)? { nil }

  func start() throws(CamrecError) { try camera.start() }
  func stop() { camera.stop() }
  func restart() throws(CamrecError) -> Bool { try camera.restart() }

  func next() throws(CamrecError) -> CameraEvent {
    let event = try camera.next()
    switch event {
    case .nothing:
      let (last, action) = state.withLock { ($0.last, $0.action) }
      if MonotonicTime.now() - last > 1_000_000_000 { action() }
    default: state.withLock { $0.last = .now() }
    }
    return event
  }
}

/// A simulated camera. Once it has given some frames, it is found empty, and the machine then stalls for longer than a
/// frame may be late.
private final class StarvedCamera: Camera {
  private struct State {
    var sequences: [UInt64] = []
    /// When it gave something last.
    var given = MonotonicTime.now()
    var action: @Sendable () -> Void = {}

    /// Asked long behind that, it would have been silent.
    var isDue: Bool { sequences.count >= 12 && MonotonicTime.now() - given < 100_000_000 }
  }

  private let camera: SimulatedCamera
  private let state = Mutex(State())

  init() throws {
    camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "physics=fast"),
      request: CameraRequest(width: 64, height: 36, frameRate: RecordingSessionTests.rate, pixelFormat: "nv12"),
      clock: SimulatedClock())
  }

  func whenStarved(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.action = action } }

  /// From the first to the last frame that it gave.
  var framesDue: Int {
    let sequences = state.withLock { $0.sequences }
    guard let first = sequences.first, let last = sequences.last else { return 0 }
    return Int(last - first) + 1
  }

  var name: String { camera.name }
  var format: CameraFormat { camera.format }
  var warnings: [String] { camera.warnings }
  var controls: (any CameraControls)? { nil }

  func start() throws(CamrecError) { try camera.start() }
  func stop() { camera.stop() }
  func restart() throws(CamrecError) -> Bool { try camera.restart() }

  func next() throws(CamrecError) -> CameraEvent {
    if state.withLock({ $0.isDue }) {
      WorkThread.sleep(.milliseconds(700))
      state.withLock { $0.action }()
      return .nothing
    }
    let event = try camera.next()
    note(event)
    return event
  }

  private func note(_ event: borrowing CameraEvent) {
    switch event {
    case .frame(let frame):
      let sequence = frame.sequence
      state.withLock { $0.sequences.append(sequence) }
    default: break
    }
    state.withLock { $0.given = .now() }
  }
}
