import Movies
import Synchronization

/// Where a film goes: known when it is prepared, or, where it is begun later, when that happens. Thread: any.
final class FilmPlace: Sendable {
  private let now: Mutex<OutputPath>

  init(_ output: OutputPath) { now = Mutex(output) }

  var output: OutputPath {
    get { now.withLock { $0 } }
    set { now.withLock { $0 = newValue } }
  }
}
