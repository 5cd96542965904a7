import Dispatch
import Foundation
import Frames
import Platform
import Synchronization

/// Films that were deleted while they were being recorded and have no copy yet. Keeps them open, and tries every few
/// seconds to copy them, until there is room.
///
/// A separate thread (`camrec-rescue`) runs while there are such films. Thread: any.
public final class HeldFilms: Sendable {
  private struct State {
    var films: [HeldFilm] = []
    var isTrying = false
  }

  private let say: @Sendable (SessionRemark) -> Void
  private let state = Mutex(State())
  /// Locked while films are copied, one at a time.
  private let work = NSLock()

  /// Between two attempts.
  private static let interval = Duration.seconds(3)

  /// - Parameter say: called for each film that was copied. Any thread.
  public init(say: @escaping @Sendable (SessionRemark) -> Void) { self.say = say }

  /// The films without a copy.
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
  /// - Parameter isLast: nothing is being recorded any more, so it tries even if there seems to be no room.
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
