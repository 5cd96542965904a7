import Foundation
import Frames
import Platform
import RecorderAPI
import Sidecar

/// A film that follows another one.
extension RecordingSession {
  /// What this film leaves of the recording's limit for the next one.
  var remainingLimit: RecordingLimit? { state.limit?.remaining(behind: self) }

  /// Call before the first frame: the recording has had films before.
  ///
  /// - Parameter limit: what they leave of its limit.
  func shortenLimit(to limit: RecordingLimit?) { state.limit = limit }

  /// The last frame has been captured.
  package var hasEndedCapture: Bool { state.endSeconds != nil }

  /// When the last frame ends; `nil` before the end, or if there was no frame.
  var pictureEnd: MonotonicTime? {
    guard let reading = clock.reading, let end = state.endSeconds else { return nil }
    return reading.anchor.advanced(by: Int64((end - reading.movieSeconds) / reading.rate * 1e9))
  }

  /// Notes in the sidecar and for the summary which film this one follows, and after what gap. Any thread.
  func noteContinuation(of film: String, seconds: Double, frames: Int) {
    state.framesBetween = frames
    notes.add(.continuation(film: PathText(film).name, seconds: seconds, frames: Int64(frames)))
  }
}

extension RecordingLimit {
  /// What a session leaves of the limit for the next one, which follows at once.
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
