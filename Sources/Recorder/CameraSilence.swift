import Frames

/// Watches a live camera that delivers nothing: says so after two seconds, gives up after ten.
struct CameraSilence {
  private let limit: Int64
  private var since = MonotonicTime.now()
  private var isWarned = false

  private static let warning: Int64 = 2_000_000_000
  private static let patience: Int64 = 10_000_000_000

  /// - Parameter rate: a camera slower than a frame a second is given ten frames.
  init(rate: FrameRate) {
    limit = max(CameraSilence.patience, (rate.frameDuration * Rational(10_000_000_000)).scaling(1))
  }

  /// A frame came.
  mutating func ended() {
    since = MonotonicTime.now()
    isWarned = false
  }

  /// Nothing came again.
  ///
  /// - Throws: code `device` when the patience is over.
  mutating func goesOn(_ camera: String, _ state: SessionState) throws(CamrecError) {
    let silence = MonotonicTime.now() - since
    guard silence < limit else {
      throw CamrecError(
        .device, "\(camera) has delivered no frame for \(limit / 1_000_000_000) s; what was recorded until then is kept")
    }
    if silence > max(CameraSilence.warning, limit / 5), !isWarned {
      isWarned = true
      state.warn("\(camera) delivers no frames")
    }
  }
}
