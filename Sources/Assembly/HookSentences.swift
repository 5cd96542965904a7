package import Platform
package import Recorder
import Reporting
package import Retention
import Supervision

/// Sentences about a hook's run.
package enum HookSentences {
  package static func remark(
    _ film: CataloguedFilm, _ outcome: TimedCommand.Outcome, _ result: CatalogueLine.Hooked.Outcome, tries: Int,
    seconds: Double, _ hook: HookRunning.Hook
  ) -> SessionRemark {
    var facts = ["hook": hook.words[0], "hooked": film.film, "try": "\(tries)", "seconds": HumanText.fixed(seconds, 1)]
    if !outcome.words.isEmpty { facts["output"] = outcome.words }
    if case .status(let status)? = outcome.ending { facts["exit-status"] = "\(status)" }
    let what = "the hook for '\(film.film)'"
    if result == .done { return SessionRemark("\(what) succeeded", facts: facts, isWarning: false, namesFilm: true) }
    let next =
      result == .givenUp
      ? "camrec gives up after \(HumanText.count(tries, "failure")); the film may now be deleted like any other"
      : "next try in \(HumanText.span(HookPolicy.pause(afterTries: tries)))"
    return SessionRemark("\(what) \(reason(outcome, hook)); \(next)", facts: facts, namesFilm: true)
  }

  /// Why it failed: `ended with status 1 (no network)`.
  package static func reason(_ outcome: TimedCommand.Outcome, _ hook: HookRunning.Hook) -> String {
    let how =
      if outcome.isLate {
        "timed out after \(HumanText.span(hook.timeout))"
      } else {
        switch outcome.ending {
        case .status(let status): "ended with status \(status)"
        case .signal(let signal): "was ended by signal \(signal)"
        case nil: "could not be started"
        }
      }
    return how + (outcome.words.split(separator: "\n").last.map { " (\($0))" } ?? "")
  }
}
