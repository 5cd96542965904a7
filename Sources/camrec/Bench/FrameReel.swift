import Cameras
import Frames
import Synchronization

/// Pictures of the simulated scene, made once and shown again and again as fast as they are taken: a camera that costs
/// nothing.
///
/// Thread: `next` on one thread at a time. `@unchecked Sendable`: everything but `state` is constant, and the frames'
/// memory is only read.
final class FrameReel: Camera, FrameOwner, @unchecked Sendable {
  let name = "prepared pictures"
  let format: CameraFormat
  /// What each picture is.
  let picture: FrameFormat
  let warnings: [String] = []

  private struct State: ~Copyable {
    /// Holds the pictures' memory.
    var frames: FixedRing<Frame>
    var next = 0
    var end = MonotonicTime.now()
  }

  private let storages: [FrameStorage]
  private let state: Mutex<State>

  /// Makes `count` pictures in apple-log.
  ///
  /// - Throws: code `usage` for a size or layout that the simulated camera does not have.
  init(size: FrameSize, layout: PixelLayout, rate: FrameRate, count: Int) throws(CamrecError) {
    var options = try SimulatedCamera.Options(parsing: "pace=pulled,physics=fast")
    options.transfer = .appleLog
    let request = CameraRequest(
      width: size.width, height: size.height, frameRate: rate, pixelFormat: layout.rawValue)
    let camera = try SimulatedCamera(
      options, request: request, clock: SimulatedClock(pace: options.pace), frames: count)
    var frames = FixedRing<Frame>(capacity: count)
    var storages: [FrameStorage] = []
    try camera.start()
    while storages.count < count {
      guard case .frame(let captured) = try camera.next(), case .frame(let frame) = captured.takeImage() else {
        throw CamrecError(.defect, "the simulated camera made no picture")
      }
      storages.append(frame.storage)
      frames.append(frame)
    }
    camera.stop()
    format = camera.format
    picture = FrameFormat(width: size.width, height: size.height, layout: layout, color: camera.format.color)
    self.storages = storages
    state = Mutex(State(frames: frames))
  }

  /// From now on, and for this long, there are pictures.
  func rewind(for duration: Duration) {
    state.withLock {
      $0.next = 0
      $0.end = MonotonicTime.now().advanced(by: Int64(duration / .nanoseconds(1)))
    }
  }

  /// The next picture, whatever the time.
  func take() -> Frame {
    let index = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    return Frame(format: picture, storage: storages[index % storages.count], owner: self)
  }

  func start() throws(CamrecError) {}
  func stop() {}

  func next() throws(CamrecError) -> CameraEvent {
    let (isOver, sequence) = state.withLock { (MonotonicTime.now() >= $0.end, $0.next) }
    // Two pictures at least, so that there is a distance between them.
    guard !isOver || sequence < 2 else { return .ended(.finished) }
    let seconds = (format.frameRate.frameDuration * Rational(Int64(sequence))).doubleValue
    return .frame(
      CapturedFrame(
        image: .frame(take()), sequence: UInt64(sequence),
        captureTime: MonotonicTime(nanoseconds: 1_000_000_000 + Int64(seconds * 1e9))))
  }

  func frameEnded(_ storage: FrameStorage) {}
}
