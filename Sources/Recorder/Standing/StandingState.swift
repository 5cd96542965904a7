import Frames
import Synchronization

/// What the threads of a session tell each other while it stands by, and of the film's beginning. Thread: any.
final class StandingState: Sendable {
  private struct Values {
    /// What the film is to have all of, in seconds of the recording's time.
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

  /// Where the film begins; `nil` for one that begins with the recording, and before it has begun.
  var start: FilmStart? { values.withLock { $0.start } }

  func begins(_ start: FilmStart) {
    values.withLock { $0.start = start }
    stands.store(false, ordering: .releasing)
  }

  /// A film is about to begin that has everything from there on.
  var isAsked: Bool { asked.load(ordering: .acquiring) }

  func ask(from seconds: Double) {
    values.withLock { $0.asked = seconds }
    asked.store(true, ordering: .releasing)
  }

  /// It does not begin after all.
  func withdraw() {
    values.withLock { $0.asked = nil }
    asked.store(false, ordering: .releasing)
  }

  func arm(_ prepared: any PreparedSegment) { values.withLock { $0.prepared = prepared } }

  /// The file that waits for its film, once.
  func takePrepared() -> (file: any PreparedSegment, from: Double)? {
    values.withLock { values in
      guard let file = values.prepared, let asked = values.asked else { return nil }
      values.prepared = nil
      return (file, asked)
    }
  }
}
