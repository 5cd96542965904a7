import Frames
import MediaFFmpeg
import Recorder
import Synchronization

/// The wish to stop a bake. After the clip's last frame it comes too late: the film is only finished then. Thread: any.
final class BakeStop: Sendable {
  private let session: RecordingSession
  private let clip: ClipCamera?
  private let state = Mutex((hasCome: false, isInTime: false))

  init(_ session: RecordingSession, _ clip: ClipCamera?) {
    self.session = session
    self.clip = clip
  }

  func utter() {
    let isTooLate = session.source.hasEnded || clip?.hasDeliveredLast == true
    state.withLock {
      $0.hasCome = true
      if !isTooLate { $0.isInTime = true }
    }
    // The clip's audio may go on, and belongs to a complete film.
    if !isTooLate { session.requestStop() }
  }

  var hasCome: Bool { state.withLock { $0.hasCome } }

  /// Whether it has left out frames of the film.
  ///
  /// - Parameter summary: of the film, at its end.
  func hasCut(_ summary: SessionSummary, at limit: RecordingLimit?) -> Bool {
    guard state.withLock({ $0.isInTime }) else { return false }
    return switch limit {
    case .frames(let count)?: Int64(summary.counts.captured + summary.counts.lost(.deviceError)) < count
    case .seconds(let seconds)?: summary.seconds < seconds.doubleValue
    // The stop may have come while the last frame was being decoded; audio may go on behind it.
    case nil: clip?.hasDeliveredLast != true || summary.sound != nil
    }
  }
}
