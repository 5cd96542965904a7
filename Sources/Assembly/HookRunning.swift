import Foundation
import Frames
import Platform
package import Recorder
import Reporting
package import Retention
import Sidecar
import Supervision
import Synchronization

/// Runs the hook for each finished film, one film at a time, until it has succeeded.
///
/// The folder's catalogue lists the waiting films, so that neither a crash nor a power cut loses one. Runs on a thread
/// of its own (`camrec-hooks`) with the lowest priority; a failure here never affects the recording. Thread: any.
package final class HookRunning: Sendable {
  package struct Hook: Sendable {
    /// The program's path, and its arguments: `{}` in them is the film.
    package var words: [String]
    /// Seconds that a run may take.
    package var timeout: Double
    package var policy: HookPolicy
  }

  private struct State {
    /// No run starts after this instant.
    var end: MonotonicTime?
    var isBusy = false
    /// How often the queue was checked, and whether something was due at the last check.
    var looks = 0
    var isDue = false
    /// A film still waits for the hook, now or later.
    var isOwed = false
    var trouble = ""
  }

  private let hook: Hook
  private let films: FilmKeeping
  private let say: @Sendable (SessionRemark) -> Void
  private let command = TimedCommand()
  private let state = Mutex(State())
  private let bell = MonotonicSemaphore()
  private let thread = Mutex<WorkThread?>(nil)

  /// Seconds to wait for a program that was told to end; it is killed after ten.
  private static let farewell = 15.0
  /// Seconds to wait for the catalogue at the end: longer than another camrec holds it.
  private static let patience = 10.0
  /// Seconds between two checks of the queue if nothing signals.
  private static let interval = 2.0
  /// Variables between systemd and camrec, which the hook does not get.
  private static let withheld = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "JOURNAL_STREAM",
  ]

  package init(_ hook: Hook, films: FilmKeeping, say: @escaping @Sendable (SessionRemark) -> Void) {
    self.hook = hook
    self.films = films
    self.say = say
  }

  package func begin() { thread.withLock { $0 = WorkThread(name: "camrec-hooks") { [self] in run() } } }

  /// Ends the hook after the recorder. Waits until nothing is due, for at most `seconds`; the rest stays in the queue.
  ///
  /// - Parameters:
  ///   - isCut: whether to stop waiting now.
  ///   - report: called again and again while it waits.
  ///   - waits: called once if it waits.
  package func close(within seconds: Double, isCut: () -> Bool, report: () -> Void, waits: () -> Void) {
    let looks = state.withLock { state in
      state.end = MonotonicTime.now().advanced(by: Int64(seconds * 1e9))
      return state.looks
    }
    bell.signal()
    var isSaid = false
    let last = MonotonicTime.now().advanced(by: Int64(HookRunning.patience * 1e9))
    while !isCut(), !isOver, isBusy || films.stalledPath == nil, let isDue = isDue(since: looks),
      isDue || MonotonicTime.now() < last
    {
      if isDue, !isSaid {
        isSaid = true
        waits()
      }
      report()
      WorkThread.sleep(.milliseconds(20))
    }
    state.withLock { $0.end = .now() }
    command.cancel()
    bell.signal()
    let isBusy = isBusy
    let thread = thread.withLock { $0 }, end = MonotonicTime.now().advanced(
      by: Int64((isBusy ? HookRunning.farewell : HookRunning.patience) * 1e9))
    while thread?.join(within: 0.1) == false {
      let stalled = isBusy ? nil : films.stalledPath
      guard stalled != nil || MonotonicTime.now() >= end else { continue }
      let place = stalled.map { "'\($0)'" } ?? "the films' folder"
      return say(
        SessionRemark(
          isBusy ? "the hook's program does not end even when it is killed; camrec ends without it"
            : "\(place) does not answer; the next recorder of this name there runs the hook"))
    }
    if state.withLock({ $0.isOwed }) {
      say(
        SessionRemark(
          "some films are still waiting for the hook; the next recorder of this name in the folder runs it for them"
            + " ('camrec hooks' lists them)", isWarning: false))
    }
  }

  /// Whether the hook's program runs.
  private var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Kills the program at once.
  package func abandon() { command.kill() }

  /// `true` if something is due, `nil` if nothing is, `false` if that is not known yet.
  private func isDue(since looks: Int) -> Bool? {
    state.withLock { state in
      if state.isBusy || state.looks > looks && state.isDue { return true }
      return state.looks > looks ? nil : false
    }
  }

  private func run() {
    while !isOver {
      var pause = HookRunning.interval
      switch next() {
      case .run(let film, let tries): run(film, tries: tries + 1)
        pause = 0
      // Another film may be finished before.
      case .wait(let seconds): pause = min(max(seconds, 0.1), HookRunning.interval)
      case .nothing: break
      }
      bell.wait(within: pause)
    }
    // `close` reports whether something is left.
    _ = next()
  }

  private var isOver: Bool { state.withLock { $0.end.map { $0 <= MonotonicTime.now() } ?? false } }

  private func next() -> HookPolicy.Next {
    let recorder = films.plan.recorder
    let next = attempt { () throws(CamrecError) in
      try films.withFolder { (folder) throws(CamrecError) in
        let now = FilmKeeping.moment()
        let films = try folder.entriesForOwnHook(at: now)
        let next = hook.policy.next(among: films, of: recorder, at: now) { then, now in
          folder.catalogue.seconds(from: then, to: now)
        }
        // Counted while the folder is held: a check from before the last film's entry never passes for a later one.
        looked(at: next)
        return next
      }
    }
    guard let next = next ?? nil else {
      looked(at: .nothing)
      return .nothing
    }
    return next
  }

  private func looked(at next: HookPolicy.Next) {
    state.withLock { state in
      state.looks += 1
      state.isDue = if case .run = next { true } else { false }
      state.isOwed = next != .nothing
    }
  }

  private func run(_ film: CataloguedFilm, tries: Int) {
    let folder = attempt { () throws(CamrecError) in try films.withFolder { $0.path } }
    guard let folder = folder ?? nil else { return }
    state.withLock { $0.isBusy = true }
    let path = "\(folder)/\(film.film)", begin = MonotonicTime.now()
    let outcome = command.run(
      hook.words.map { $0.replacing("{}", with: path) }, environment: environment(film, path, tries),
      seconds: hook.timeout)
    state.withLock { $0.isBusy = false }
    // The next recorder runs it again.
    if outcome.isCancelled { return }
    let result = outcome.isSuccess ? .done : hook.policy.outcome(afterTries: tries)
    // A catalogue that another process has locked is no reason to run the hook again.
    func note() -> Bool {
      let isNoted = attempt { () throws(CamrecError) -> Bool in
        _ = try films.withFolder { (folder) throws(CamrecError) in
          try folder.hooked(
            .init(
              id: film.id, outcome: result, tries: tries, moment: FilmKeeping.moment(),
              error: outcome.isSuccess ? nil : HookSentences.reason(outcome, hook)))
        }
        return true
      }
      return isNoted ?? false
    }
    while !note(), !isOver { bell.wait(within: HookRunning.interval) }
    say(
      HookSentences.remark(
        film, outcome, result, tries: tries, seconds: Double(MonotonicTime.now() - begin) * 1e-9, hook))
  }

  private func environment(_ film: CataloguedFilm, _ path: String, _ tries: Int) -> [String: String] {
    var values = ProcessInfo.processInfo.environment
    HookRunning.withheld.forEach { values[$0] = nil }
    values["CAMREC_FILM"] = path
    let sidecar = SidecarFile.path(ofFilm: path)
    values["CAMREC_SIDECAR"] = FileManager.default.fileExists(atPath: sidecar) ? sidecar : ""
    values["CAMREC_CAMERA"] = film.recorder
    values["CAMREC_START"] = film.start ?? ""
    values["CAMREC_SECONDS"] = HumanText.fixed(film.seconds, 3)
    values["CAMREC_BYTES"] = "\(film.bytes)"
    values["CAMREC_FRAMES"] = "\(film.frames)"
    values["CAMREC_LOST"] = "\(film.lost)"
    values["CAMREC_TRY"] = "\(tries)"
    return values
  }

  /// Reports a catalogue that cannot be read or written, once.
  private func attempt<R>(_ body: () throws(CamrecError) -> R) -> R? {
    do throws(CamrecError) {
      return try body()
    } catch {
      let isNew = state.withLock { state in
        defer { state.trouble = error.message }
        return state.trouble != error.message
      }
      if isNew { say(SessionRemark("\(error.description); the hook waits", facts: ["code": error.code.rawValue])) }
      return nil
    }
  }
}
