import Dispatch
import Foundation
import Frames
import Platform
import Reporting
import Synchronization
import Terminal

/// Turns Ctrl-C, SIGTERM and SIGHUP into a clean stop; a second one ends camrec at once, but still restores the
/// camera's controls.
///
/// Thread: any. Create it before opening the camera, so that no signal ends camrec between changing a device and
/// restoring it. It lives as long as the process, whoever holds it: an unhandled signal would be ignored.
///
/// `@unchecked Sendable`: `sources` is a constant whose elements libdispatch lets any thread cancel, and `say` one that
/// any thread may call; the rest is locked.
package final class StopSignals: @unchecked Sendable {
  private struct State {
    var stop: (@Sendable (_ signal: String) -> Void)?
    var leftover: (@Sendable () -> String?)?
    var givingUp: (@Sendable () -> Void)?
    var putBack: (@Sendable () -> Void)?
    var count = 0
    /// The one that came first.
    var first: String?
    /// When the last one that counted came.
    var last: MonotonicTime?
  }

  private let state = Mutex(State())
  private let say: @Sendable (String) -> Void
  private let sources: [any DispatchSourceSignal]

  /// Seconds for restoring a camera's controls when camrec ends at once.
  private static let patience = 1.0

  /// From now on, a reader that goes away and a file-size limit are errors for who writes, and end nothing. Call at
  /// the start of the program.
  package static func ignoreFaults() {
    for ignored in [SIGPIPE, SIGXFSZ] { _ = signal(ignored, SIG_IGN) }
  }

  /// - Parameter say: says that camrec ends at once; any thread.
  package init(say: @escaping @Sendable (String) -> Void = { HumanText.write($0) }) {
    self.say = say
    var caught: [(number: Int32, name: String)] = []
    for (number, name) in [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")] {
      let before = signal(number, SIG_IGN)
      // Under nohup SIGHUP is ignored already, and stays so.
      if number == SIGHUP, StopSignals.isIgnoring(before) { continue }
      caught.append((number: number, name: name))
    }
    sources = caught.map { number, _ in DispatchSource.makeSignalSource(signal: number, queue: .global()) }
    for (source, (_, name)) in zip(sources, caught) {
      // The sources keep this object alive.
      source.setEventHandler { [self] in arrived(name) }
      source.resume()
    }
  }

  /// Nanoseconds within which two signals are one.
  private static let repetition: Int64 = 300_000_000

  private static func isIgnoring(_ handler: sighandler_t?) -> Bool {
    // Handlers are plain addresses, which C compares and Swift does not.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as sighandler_t?, to: Int.self)
  }

  /// Calls `stop` at every signal, and at once if one has come already.
  ///
  /// - Parameters:
  ///   - stop: is given the name of the first signal; does not wait.
  ///   - leftover: says, when camrec ends at once, what becomes of an unfinished film; `nil` if there is none.
  ///   - givingUp: restores what has to be restored in any case; does not wait.
  package func watch(
    stop: @escaping @Sendable (_ signal: String) -> Void, leftover: @escaping @Sendable () -> String?,
    givingUp: @escaping @Sendable () -> Void = {}
  ) {
    let first = state.withLock {
      $0.givingUp = givingUp
      $0.stop = stop
      $0.leftover = leftover
      return $0.first
    }
    if let first { stop(first) }
  }

  /// Whether a signal has come.
  package var haveCome: Bool { state.withLock { $0.count > 0 } }

  /// Counts the next signal as the first one again, because the earlier one came before the user was told of this wait.
  package func expectAnother() {
    state.withLock {
      $0.count = 0
      $0.first = nil
      $0.last = nil
    }
  }

  /// Calls `putBack` before camrec ends at once; what is set after that is restored at the next start.
  package func beforeGivingUp(_ putBack: @escaping @Sendable () -> Void) { state.withLock { $0.putBack = putBack } }

  private func arrived(_ name: String) {
    let now = state.withLock {
      // A signal to the process and to its group comes twice; no person is that fast.
      let time = MonotonicTime.now()
      if let last = $0.last, time - last < StopSignals.repetition { return $0 }
      $0.last = time
      $0.count += 1
      $0.first = $0.first ?? name
      return $0
    }
    if let first = now.first { now.stop?(first) }
    guard now.count > 1 else { return }
    let isPutBack = MonotonicSemaphore()
    DispatchQueue.global().async {
      now.putBack?()
      isPutBack.signal()
    }
    isPutBack.wait(within: StopSignals.patience)
    let rest = now.leftover?().map { "; \($0)" } ?? ""
    now.givingUp?()
    Console.waitForNobody()
    say("ended at once\(rest)")
    Console.finish()
    _exit(ExitStatus.interrupted.rawValue)
  }
}
