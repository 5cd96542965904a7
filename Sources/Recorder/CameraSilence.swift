import Cameras
import Frames

/// Watches a live camera that delivers nothing, or nothing but damaged frames: says so after two seconds and starts its
/// stream again, gives up after ten.
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

  /// An intact frame came.
  mutating func ended() {
    since = MonotonicTime.now()
    isWarned = false
  }

  /// Nothing came again that can be recorded. Capture thread.
  ///
  /// - Throws: code `device` when the patience is over, and for a camera that does not start again.
  mutating func goesOn(_ camera: any Camera, _ state: SessionState) throws(CamrecError) {
    let silence = MonotonicTime.now() - since
    guard silence < limit else {
      throw CamrecError(.device, "\(camera.name) has delivered no intact frame for \(limit / 1_000_000_000) s")
    }
    if silence > max(CameraSilence.warning, limit / 5), !isWarned {
      isWarned = true
      let isStartedAgain = try camera.restart()
      state.warn(
        "\(camera.name) delivers no intact frames" + (isStartedAgain ? "; its stream was started again" : ""))
    }
  }
}
