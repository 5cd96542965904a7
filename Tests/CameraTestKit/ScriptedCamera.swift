public import Cameras
public import Frames
import Platform
import Synchronization

/// A camera that says what a script tells it to, one line a call: for what a real one does not do on demand.
///
/// Frames are 16 × 16 NV12 whose first luma byte is their sequence number modulo 256.
public final class ScriptedCamera: Camera {
  public enum Line: Sendable {
    /// Frames in a row, each one after the one before.
    case frames(Int)
    /// A jump of the count by this many frames, and of the clock.
    case gap(Int)
    case damaged
    /// What the frames from here on say of their exposure.
    case exposure(ExposureRecord?)
    /// Something that happens before the next frame.
    case action(@Sendable () -> Void)
    case nothing
    case ended(CameraEnd)
    case failure(CamrecError)
  }

  public let name = "scripted camera"
  public let warnings: [String] = []
  public let format: CameraFormat
  public let controls: (any CameraControls)?
  private let pool: FramePool
  private let state: Mutex<(lines: [Line], sequence: UInt64, exposure: ExposureRecord?)>
  /// When the first frame was exposed, on the scripts' own clock.
  public static let origin = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private let pacing: Duration?

  /// - Parameters:
  ///   - rate: `nil`: it has none, and its clock goes on by a tenth of a second with each frame.
  ///   - pool: frames that may be out at once.
  ///   - pacing: how long each call waits first.
  public init(
    _ lines: [Line], rate: FrameRate?, pool: Int = 8, pacing: Duration? = nil, controls: (any CameraControls)? = nil
  ) {
    self.controls = controls
    let frame = FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709)
    format = CameraFormat(width: 16, height: 16, image: .raw(.nv12), frameRate: rate, color: .rec709)
    self.pool = FramePool(format: frame, capacity: pool)
    self.pacing = pacing
    state = Mutex((lines.reversed(), 0, nil))
  }

  /// Frames that nobody holds.
  public var freeFrames: Int { pool.available }

  public func start() throws(CamrecError) {}
  public func stop() {}

  public func next() throws(CamrecError) -> CameraEvent {
    if let pacing { WorkThread.sleep(pacing) }
    switch takeLine() {
    case .frames: return frame()
    case .gap, .nothing, .exposure: return .nothing
    case .action(let action):
      action()
      return .nothing
    case .damaged:
      let (sequence, time) = count()
      return .damaged(sequence: sequence, captureTime: time)
    case .ended(let end): return .ended(end)
    case .failure(let error): throw error
    case nil: return .ended(.finished)
    }
  }

  private func takeLine() -> Line? {
    state.withLock { state in
      guard let line = state.lines.popLast() else { return nil }
      if case .frames(let count) = line, count > 1 { state.lines.append(.frames(count - 1)) }
      if case .gap(let frames) = line { state.sequence += UInt64(frames) }
      if case .exposure(let exposure) = line { state.exposure = exposure }
      return line
    }
  }

  private func count() -> (UInt64, MonotonicTime) {
    let sequence = state.withLock { state in
      defer { state.sequence += 1 }
      return state.sequence
    }
    let duration = format.frameRate?.frameDuration ?? Rational(1, 10)
    let nanoseconds = (duration * Rational(1_000_000_000)).scaling(Int64(sequence))
    return (sequence, ScriptedCamera.origin.advanced(by: nanoseconds))
  }

  private func frame() -> CameraEvent {
    var taken = pool.take()
    while taken == nil {
      WorkThread.sleep(.milliseconds(1))
      taken = pool.take()
    }
    guard var frame = taken.take() else { return .nothing }
    let (sequence, time) = count()
    frame.withMutablePlane(0) { $0[0] = UInt8(truncatingIfNeeded: sequence) }
    return .frame(
      CapturedFrame(
        image: .frame(frame), sequence: sequence, captureTime: time, exposure: state.withLock { $0.exposure }))
  }
}
