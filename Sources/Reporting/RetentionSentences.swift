import Frames
package import Recorder
package import Retention

/// Sentences about the films of a folder, and about the limits on them.
package enum RetentionSentences {
  /// - Parameter path: in the films' folder, or that folder.
  package static func doesNotAnswer(_ path: String) -> SessionRemark {
    SessionRemark(
      "'\(path)' does not answer: films begin and end without it, but until it does, camrec enters none in the "
        + "catalogue, deletes none and runs no hook; check that disk", facts: ["stalled": path])
  }

  package static let answersAgain = SessionRemark(
    "the films' folder answers again; camrec now does what was waiting for it", isWarning: false)

  package static func remark(_ notice: RetentionNotice, _ plan: RetentionService.Plan) -> SessionRemark {
    let limits = plan.limits
    switch notice {
    case .deleted(let film, let reason): return SpaceSentences.deleted(film, reason, limits)
    case .inVain(let film, let folder, let enough):
      let what =
        film.map { "deleting '\($0)' freed nothing" } ?? "deleting the last film on this disk freed nothing"
      return SessionRemark(
        "\(what) (\(mayHold)); camrec deletes no more films to make room on the disk of '\(folder)' until "
          + "\(HumanText.bytes(enough)) are unused there; remove the snapshot, or free some room",
        facts: ["enough-bytes": "\(enough)"])
    case .inVainNoMore:
      return SessionRemark("the disk has more room; camrec may delete films to make room again", isWarning: false)
    case .limitFreedNothing(let film, let folder):
      return SessionRemark(
        saying: "deleting '\(film)' in '\(folder)' for \(setting: .keepAge), \(setting: .keepCount) or "
          + "\(setting: .keepSize) freed nothing (\(mayHold)); camrec still deletes films for these limits; remove the "
          + "snapshot, or raise the limits")
    case .folderMoved(let folder):
      return SessionRemark(
        "the folder '\(folder)' was moved away or unmounted, or another disk was mounted there; camrec deletes no film "
          + "in the old folder, and manages the one that is there now")
    case .freeBeyondDisk(let total):
      return SessionRemark(
        saying: "\(setting: .keepFree) \(HumanText.bytes(limits.freeBytes ?? 0)) is more than the whole disk has "
          + "(\(HumanText.bytes(total))), so nothing is deleted for it; lower the limit")
    case .unmeetable(.free(let free, let deletable), let waiting):
      let held =
        waiting.films > 0
        ? " (\(films(waiting.films)) waiting for the hook \(waiting.films == 1 ? "has" : "have")"
          + " \(HumanText.bytes(waiting.bytes)) more)" : ""
      return SessionRemark(
        saying: "\(setting: .keepFree) \(HumanText.bytes(limits.freeBytes ?? 0)) cannot be met: "
          + "\(HumanText.bytes(free)) are free, and the films that may be deleted have "
          + "\(HumanText.bytes(deletable))\(held); nothing is deleted for it; free some room, or lower the limit",
        facts: ["free-bytes": "\(free)", "deletable-bytes": "\(deletable)"])
    case .unmeetable(.size(let staying), _):
      let (newest, stays) =
        limits.scope == .folder
        ? ("the newest films of all recorders there have together", "which are") : ("the newest film has", "which is")
      return SessionRemark(
        saying: "\(setting: .keepSize) \(HumanText.bytes(limits.bytes ?? 0)) is less than \(newest) "
          + "(\(HumanText.bytes(staying))), \(stays) never deleted; as long as that is so, nothing is deleted for it; "
          + "raise the limit",
        facts: ["film-bytes": "\(staying)"])
    case .sizeBelowMinute(let bytes):
      return SessionRemark(
        saying: "\(setting: .keepSize) \(HumanText.bytes(limits.bytes ?? 0)) is less than a one-minute film may have "
          + "(\(HumanText.bytes(bytes))); raise the limit, or record at a lower bitrate")
    case .waiting(let waiting):
      let isOne = waiting.films == 1
      let part = waiting.failed < waiting.films ? " for \(waiting.failed) of them" : ""
      let error = waiting.error.map { ", which failed\(part), last with: \($0)" } ?? ""
      let hold =
        isOne
        ? "it is not deleted until the hook succeeds or camrec gives up, and does"
        : "they are not deleted until it succeeds or camrec gives up, and do"
      return SessionRemark(
        saying: "\(films(waiting.films)) (\(HumanText.bytes(waiting.bytes))) \(isOne ? "waits" : "wait") for the hook"
          + "\(error); \(hold) not count towards \(setting: .keepCount) and \(setting: .keepSize)",
        facts: facts(waiting))
    case .abandoned(let waiting, let folder, let isOwn):
      let isOne = waiting.films == 1
      let why =
        isOwn
        ? "\(isOne ? "waits" : "wait") for a hook, and this recorder has none"
        : "of the recorder '\(waiting.recorder)' \(isOne ? "has" : "have") waited for its hook for more than a day"
      let then = isOne ? "it is never deleted; to release it" : "they are never deleted; to release them"
      return SessionRemark(
        "\(films(waiting.films)) (\(HumanText.bytes(waiting.bytes))) \(why): \(then), "
          + "run: camrec hooks --release --name \(shell(waiting.recorder)) \(shell(folder))", facts: facts(waiting))
    case .othersDoNotCount(let others):
      return SessionRemark(
        saying: "\(setting: .keepAge), \(setting: .keepCount) and \(setting: .keepSize) count only the films of "
          + "'\(plan.recorder)', and not the \(films(others)) of other recorders in this folder; "
          + "\(setting: .keepScope) folder counts all", isWarning: false)
    case .willAdopt(let films, let pattern, let seconds):
      return SessionRemark(
        "\(orphans(films, pattern, plan)) will count as this recorder's in \(HumanText.span(seconds)), unless the "
          + "other one is back by then", facts: facts(films, pattern), isWarning: false)
    case .adopted(let films, let pattern):
      return SessionRemark(
        "\(orphans(films, pattern, plan)) now \(films == 1 ? "counts" : "count") as this recorder's",
        facts: facts(films, pattern), isWarning: false)
    case .noIdentity(let error):
      return SessionRemark(
        saying: "\(error.description); until that is fixed, other recorders called '\(plan.recorder)' count this "
          + "recorder's films there as theirs; make room, let this user create files there, or give each recorder its "
          + "own \(setting: .name)",
        facts: ["code": error.code.rawValue])
    case .unknownSpace(let film):
      return SessionRemark(
        "the system does not report the free space where '\(film)' lies; camrec deletes nothing to make room, and a "
          + "film ends when the disk is full")
    case .unsynchronizedClock:
      return SessionRemark(
        saying: "the clock is not synchronised: \(setting: .keepAge) counts only the time for which the system is "
          + "known to have run",
        isWarning: false)
    case .noLocks(let folder):
      return SessionRemark(
        "the file system of '\(folder)' has no locks: camrec deletes no other recorder's films there, and only adds to "
          + "the catalogue")
    case .trouble(let error):
      // Also said by a start that is refused, and in standby.
      return SessionRemark(
        "\(error.description); as long as that is so, films may be missing from the catalogue, and old ones may stay",
        facts: ["code": error.code.rawValue])
    }
  }

  /// Why a deletion may have freed nothing.
  private static let mayHold =
    "a snapshot or a program may hold it, or other programs wrote as much meanwhile"

  package static func films(_ count: Int) -> String { count == 1 ? "1 film" : "\(count) films" }

  private static func orphans(_ films: Int, _ pattern: String?, _ plan: RetentionService.Plan) -> String {
    let what = pattern.map { " as '\($0)'" } ?? ""
    return "\(RetentionSentences.films(films)) that another recorder '\(plan.recorder)' made here\(what)"
  }

  private static func facts(_ films: Int, _ pattern: String?) -> [String: String] {
    var facts = ["adopted-films": "\(films)"]
    if let pattern { facts["pattern"] = pattern }
    return facts
  }

  private static func facts(_ waiting: RetentionNotice.Waiting) -> [String: String] {
    var facts = ["waiting-films": "\(waiting.films)", "waiting-bytes": "\(waiting.bytes)"]
    if let error = waiting.error { facts["hook-error"] = error }
    return facts
  }

  /// A word as a shell reads it.
  private static func shell(_ word: String) -> String {
    word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) } && !word.isEmpty
      ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
