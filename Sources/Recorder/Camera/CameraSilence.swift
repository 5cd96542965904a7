import Cameras
package import Frames
import Platform

/// Watches for a live camera that delivers nothing, or only damaged frames: warns after two seconds and restarts its
/// stream, and gives up after ten.
package struct CameraSilence: Sendable {
  /// `nil`: it may be silent for as long as it likes.
  private let limit: Int64?
  /// Nanoseconds that a frame may be late.
  private let lateness: Int64
  /// When the last intact frame arrived, or it began to watch.
  private(set) var since = MonotonicTime.now()
  /// It has lasted long enough for a warning: what was due since the last frame will not arrive any more.
  private(set) var isWarned = false
  /// When the camera was asked last, it had been silent for longer than a frame is late: if the film ends now, what was
  /// due since the last frame is lost.
  private(set) var isOverdue = false
  /// It has lasted too long.
  private(set) var isOver = false

  private static let warning: Int64 = 2_000_000_000
  private static let patience: Int64 = 10_000_000_000

  /// - Parameter rate: a camera slower than one frame a second gets the time of ten frames; one without a rate owes
  ///   nobody a frame.
  init(rate: FrameRate?) {
    limit = rate.map { max(CameraSilence.patience, ($0.frameDuration * Rational(10_000_000_000)).scaling(1)) }
    lateness = rate.map { CameraSilence.lateness($0) } ?? .max
  }

  /// Nanoseconds that a frame may be late and is no loss: a busy machine stops without one.
  package static func lateness(_ rate: FrameRate) -> Int64 {
    max(500_000_000, (rate.frameDuration * Rational(3_000_000_000)).scaling(1))
  }

  /// An intact frame has arrived.
  mutating func ended() {
    since = MonotonicTime.now()
    (isWarned, isOverdue) = (false, false)
  }

  /// Again, nothing has arrived that can be recorded. The camera's thread.
  ///
  /// - Parameter asked: when the camera was asked. It had nothing to give then; since then a busy machine may have left
  ///   frames with it.
  /// - Returns: a warning, once.
  /// - Throws: code `device` when the time is over, and if the camera does not restart.
  mutating func goesOn(_ camera: any Camera, _ asked: MonotonicTime) throws(CamrecError) -> String? {
    guard let limit else { return nil }
    let silence = MonotonicTime.now() - since
    isOverdue = asked - since > lateness
    guard silence < limit else {
      isOver = true
      throw CamrecError(.device, "\(camera.name) has delivered no intact frame for \(limit / 1_000_000_000) s")
    }
    guard silence > max(CameraSilence.warning, limit / 5), !isWarned else { return nil }
    isWarned = true
    let isStartedAgain = try camera.restart()
    return "\(camera.name) delivers no intact frames" + (isStartedAgain ? "; restarted its stream" : "")
  }
}
