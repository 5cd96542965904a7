import Foundation
import Frames
import Sidecar

/// A film that follows another one.
extension RecordingSession {
  /// Before `begin`: the camera runs, and nothing is recorded until `release`.
  func hold() { state.hold() }

  /// From here on a session that is held records. Any thread.
  func release() { state.release() }

  /// Before the first frame: what the film before has used of the recording's limit is gone.
  func shortenLimit(behind old: RecordingSession) {
    state.limit = old.state.limit?.remaining(behind: old)
  }

  /// The light is met, as far as the camera goes.
  var isExposed: Bool { parts.exposure.map { $0.status.state != .moving } ?? state.isReady }

  /// The last frame has been taken.
  var hasEndedCapture: Bool { state.endSeconds != nil }

  /// When the last frame's time ends; `nil` before the end, and without a frame.
  var pictureEnd: MonotonicTime? {
    guard let reading = clock.reading, let end = state.endSeconds else { return nil }
    return reading.anchor.advanced(by: Int64((end - reading.movieSeconds) / reading.rate * 1e9))
  }

  /// Notes in the sidecar and for the summary which film this one follows, and after what. Any thread.
  func noteContinuation(of film: String, seconds: Double, frames: Int) {
    state.framesBetween = frames
    notes.add(.continuation(film: PathText(film).name, seconds: seconds, frames: Int64(frames)))
  }
}

extension RecordingLimit {
  /// What of it a session leaves to the next, which follows it at once.
  fileprivate func remaining(behind session: RecordingSession) -> RecordingLimit {
    switch self {
    case .frames(let count): .frames(max(1, count - Int64(session.ledger.counts.expected)))
    case .seconds(let seconds):
      .seconds(
        Rational(max(1, session.timeBase.inverse.scaling(seconds) - (session.state.endTicks - session.start.ticks)))
          * session.timeBase)
    }
  }
}
