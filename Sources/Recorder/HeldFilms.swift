import Dispatch
import Foundation
import Frames
import Synchronization

/// Films that were deleted while they were recorded and of which there is no copy yet: keeps them open, and tries again
/// to copy them every few seconds, until there is room.
///
/// On a thread of its own (`camrec-rescue`), which is there while there are such films. Thread: any.
public final class HeldFilms: Sendable {
  private struct State {
    var films: [HeldFilm] = []
    var isTrying = false
  }

  private let say: @Sendable (SessionRemark) -> Void
  private let state = Mutex(State())
  /// Held while films are copied: one at a time.
  private let work = NSLock()

  /// Between two attempts.
  private static let interval = Duration.seconds(3)

  /// - Parameter say: is told of each film that was copied. Any thread.
  public init(say: @escaping @Sendable (SessionRemark) -> Void) { self.say = say }

  /// Those of which there is no copy.
  public var films: [HeldFilm] { state.withLock { $0.films } }

  func add(_ film: HeldFilm) {
    let begins = state.withLock { state in
      state.films.append(film)
      defer { state.isTrying = true }
      return !state.isTrying
    }
    guard begins else { return }
    _ = WorkThread(name: "camrec-rescue") { [self] in
      repeat {
        WorkThread.sleep(HeldFilms.interval)
        copy()
      } while goesOn
    }
  }

  private var goesOn: Bool {
    state.withLock { state in
      state.isTrying = !state.films.isEmpty
      return state.isTrying
    }
  }

  /// Tries now. Waits for the disk.
  ///
  /// - Parameter isLast: nothing is recorded any more, so that whatever can be done for them is.
  public func copy(isLast: Bool = false) {
    work.lock()
    defer { work.unlock() }
    for film in films {
      guard let remarks = film.copy(isLast: isLast) else { continue }
      state.withLock { state in state.films.removeAll { $0 === film } }
      remarks.forEach(say)
    }
  }
}
