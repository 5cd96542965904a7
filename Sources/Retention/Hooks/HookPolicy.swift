/// Decides for which film a hook is run next, and when it is run again after a failure.
public struct HookPolicy: Hashable, Sendable {
  public enum Next: Hashable, Sendable {
    case run(CataloguedFilm, tries: Int)
    /// Nothing is due before so many seconds are over.
    case wait(seconds: Double)
    case nothing
  }

  /// Runs of a film that may fail before it is given up.
  public var mostTries: Int

  /// Seconds between the first two; doubled each time.
  public static let shortestPause = 10.0
  public static let longestPause = 3600.0

  public init(mostTries: Int) { self.mostTries = mostTries }

  public static func pause(afterTries tries: Int) -> Double {
    tries < 1 ? 0 : min(longestPause, shortestPause * Double(1 << min(tries - 1, 20)))
  }

  /// One that fails keeps no other waiting: of those that are due the oldest comes first.
  ///
  /// - Parameters:
  ///   - entries: oldest first.
  ///   - recorder: whose films are meant.
  ///   - seconds: between two moments.
  public func next(
    among entries: [FilmFolder.Entry], of recorder: String, at now: Moment,
    seconds: (_ then: Moment, _ now: Moment) -> Double
  ) -> Next {
    var wait: Double?
    for entry in entries where entry.film.recorder == recorder && entry.protection != .foreign {
      guard let hook = entry.hook, !hook.isGivenUp else { continue }
      let rest = hook.last.map { HookPolicy.pause(afterTries: hook.tries) - seconds($0, now) } ?? 0
      if rest <= 0 { return .run(entry.film, tries: hook.tries) }
      wait = min(wait ?? rest, rest)
    }
    return wait.map { .wait(seconds: $0) } ?? .nothing
  }

  /// What a failed run comes to.
  public func outcome(afterTries tries: Int) -> CatalogueLine.Hooked.Outcome { tries >= mostTries ? .givenUp : .failed }
}
