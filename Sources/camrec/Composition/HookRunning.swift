import Foundation
import Frames
import Recorder
import Retention
import Sidecar
import Supervision
import Synchronization

/// Runs the command that was asked for on each film that is finished, one film at a time, until it has succeeded.
///
/// What is due stands in the folder's catalogue, so that nothing of it is lost with the process or the power. On a
/// thread of its own (`camrec-hooks`) with the least priority; what goes wrong here is never the recording's. Thread:
/// any.
final class HookRunning: Sendable {
  struct Hook: Sendable {
    /// The program's path, and its arguments: `{}` in them is the film.
    var words: [String]
    /// Seconds that a run may take.
    var timeout: Double
    var policy: HookPolicy
  }

  private struct State {
    /// Nothing is begun any more behind this instant.
    var end: MonotonicTime?
    var isBusy = false
    /// Times that the queue was looked at, and whether something was due then.
    var looks = 0
    var isDue = false
    /// The hook has still to handle a film, now or later.
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

  /// Seconds that a program has to end which is told to, and is killed after ten.
  private static let farewell = 15.0
  /// Seconds that the catalogue has to answer at the end: longer than another camrec holds it.
  private static let patience = 10.0
  /// Between two looks at the queue where nothing rings, in seconds.
  private static let interval = 2.0
  /// Of camrec's own environment, what is systemd's business with camrec.
  private static let withheld = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "JOURNAL_STREAM",
  ]

  init(_ hook: Hook, films: FilmKeeping, say: @escaping @Sendable (SessionRemark) -> Void) {
    self.hook = hook
    self.films = films
    self.say = say
  }

  func begin() { thread.withLock { $0 = WorkThread(name: "camrec-hooks") { [self] in run() } } }

  /// The recorder has ended. Waits until nothing is due any more, but not longer than that; what is left stays in the
  /// queue.
  ///
  /// - Parameters:
  ///   - isCut: it is to wait no longer.
  ///   - waits: is told that it does.
  func close(within seconds: Double, isCut: () -> Bool, waits: () -> Void) {
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
      let place = stalled.map { "'\($0)'" } ?? "the folder of the films"
      return say(
        SessionRemark(
          isBusy ? "the hook's program does not end, also not when it is killed; it is left behind"
            : "\(place) does not answer; the next recorder of this name there runs the hook"))
    }
    if state.withLock({ $0.isOwed }) {
      say(
        SessionRemark(
          "the hook has not handled every film yet; the next recorder of this name in the folder goes on with them"
            + " ('camrec hooks' lists them)", isWarning: false))
    }
  }

  /// Its program runs.
  private var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Nobody waits any longer.
  func abandon() { command.kill() }

  /// Whether something is due, of which `false` still has to be found out; `nil`: nothing is.
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
    // Whoever closes says whether something is left.
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
        // While the folder is held: no look that is older than the last film's entry passes for one behind it.
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
    // It is run again by the next recorder.
    if outcome.isCancelled { return }
    let result = outcome.isSuccess ? .done : hook.policy.outcome(afterTries: tries)
    // A catalogue that another has locked is no reason to run it once more.
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

  /// A catalogue that cannot be read or written is said once.
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
