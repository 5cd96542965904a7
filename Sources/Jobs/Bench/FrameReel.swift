package import Cameras
package import Frames
import Platform
import Synchronization

/// A camera that costs no time: it makes frames of the simulated scene once, and delivers them again and again, as fast
/// as they are taken.
///
/// Thread: `next` on one thread at a time. `@unchecked Sendable`: everything but `state` is constant, and the frames'
/// memory is only read.
package final class FrameReel: Camera, FrameOwner, @unchecked Sendable {
  package let name = "prepared frames"
  package let format: CameraFormat
  package let frameRate: FrameRate
  /// The format of each frame.
  package let picture: FrameFormat
  package let warnings: [String] = []

  private struct State: ~Copyable {
    /// Owns the frames' memory.
    var frames: FixedRing<Frame>
    var next = 0
    var end = MonotonicTime.now()
  }

  private let storages: [FrameStorage]
  private let state: Mutex<State>

  /// Makes `count` frames in apple-log.
  ///
  /// - Throws: code `usage` for a size or layout that the simulated camera does not offer.
  package init(size: FrameSize, layout: PixelLayout, rate: FrameRate, count: Int) throws(CamrecError) {
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
        throw CamrecError(.defect, "the simulated camera made no frame")
      }
      storages.append(frame.storage)
      frames.append(frame)
    }
    camera.stop()
    (format, frameRate) = (camera.format, camera.frameRate)
    picture = FrameFormat(width: size.width, height: size.height, layout: layout, color: camera.format.color)
    self.storages = storages
    state = Mutex(State(frames: frames))
  }

  /// Starts again from the first frame, and delivers frames for this long.
  package func rewind(for duration: Duration) {
    state.withLock {
      $0.next = 0
      $0.end = MonotonicTime.now().advanced(by: Int64(duration / .nanoseconds(1)))
    }
  }

  /// The next frame, also after the time is over.
  package func take() -> Frame {
    let index = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    return Frame(format: picture, storage: storages[index % storages.count], owner: self)
  }

  package func start() throws(CamrecError) {}
  package func stop() {}

  package func next() throws(CamrecError) -> CameraEvent {
    let (isOver, sequence) = state.withLock { (MonotonicTime.now() >= $0.end, $0.next) }
    // At least two frames, so that there is an interval between them.
    guard !isOver || sequence < 2 else { return .ended(.finished) }
    let seconds = (frameRate.frameDuration * Rational(Int64(sequence))).doubleValue
    return .frame(
      CapturedFrame(
        image: .frame(take()), sequence: UInt64(sequence),
        captureTime: MonotonicTime(nanoseconds: 1_000_000_000 + Int64(seconds * 1e9))))
  }

  package func frameEnded(_ storage: FrameStorage) {}
}
