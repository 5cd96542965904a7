/// Decides for which film a hook runs next, and when it runs again after a failure.
public struct HookPolicy: Hashable, Sendable {
  public enum Next: Hashable, Sendable {
    case run(CataloguedFilm, tries: Int)
    /// Nothing is due for this many seconds.
    case wait(seconds: Double)
    case nothing
  }

  /// Runs that may fail before a film is given up.
  public var mostTries: Int

  /// Seconds between the first two runs; doubled each time.
  public static let shortestPause = 10.0
  public static let longestPause = 3600.0

  public init(mostTries: Int) { self.mostTries = mostTries }

  public static func pause(afterTries tries: Int) -> Double {
    tries < 1 ? 0 : min(longestPause, shortestPause * Double(1 << min(tries - 1, 20)))
  }

  /// The oldest film that is due comes first. A film whose hook fails keeps no other film waiting.
  ///
  /// - Parameters:
  ///   - entries: oldest first.
  ///   - recorder: whose films to look at.
  ///   - seconds: gives the seconds between two moments.
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

  /// What a failed run leads to.
  public func outcome(afterTries tries: Int) -> CatalogueLine.Hooked.Outcome { tries >= mostTries ? .givenUp : .failed }
}
