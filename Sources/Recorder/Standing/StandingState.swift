import Frames
import Synchronization

/// The state shared by a session's threads in standby, and when the film begins. Thread: any.
final class StandingState: Sendable {
  private struct Values {
    /// The film must include everything from here on, in seconds of the recording.
    var asked: Double?
    var prepared: (any PreparedSegment)?
    var start: FilmStart?
  }

  private let stands: Atomic<Bool>
  private let asked = Atomic<Bool>(false)
  private let values = Mutex(Values())

  init(stands: Bool) { self.stands = Atomic(stands) }

  /// There is no film yet.
  var isStanding: Bool { stands.load(ordering: .acquiring) }

  /// Where the film begins; `nil` before that, and for a film that begins with the recording.
  var start: FilmStart? { values.withLock { $0.start } }

  func begins(_ start: FilmStart) {
    values.withLock { $0.start = start }
    stands.store(false, ordering: .releasing)
  }

  /// A film is about to begin.
  var isAsked: Bool { asked.load(ordering: .acquiring) }

  func ask(from seconds: Double) {
    values.withLock { $0.asked = seconds }
    asked.store(true, ordering: .releasing)
  }

  /// The film does not begin after all.
  func withdraw() {
    values.withLock { $0.asked = nil }
    asked.store(false, ordering: .releasing)
  }

  func arm(_ prepared: any PreparedSegment) { values.withLock { $0.prepared = prepared } }

  /// Removes and returns the file that waits for its film.
  func takePrepared() -> (file: any PreparedSegment, from: Double)? {
    values.withLock { values in
      guard let file = values.prepared, let asked = values.asked else { return nil }
      values.prepared = nil
      return (file, asked)
    }
  }
}
