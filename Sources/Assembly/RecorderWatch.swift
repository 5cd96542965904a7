import Foundation
package import Frames
import Platform
package import Recorder
package import RecorderAPI
import Synchronization
import Telemetry

/// Tells a listener (the state file, the metrics file, systemd) a recorder's state once a second, and at each change of
/// phase or refusal of a film.
///
/// Runs on a thread of its own, off the path of the frames: a file on a disk that hangs delays no other listener, nor
/// the recorder's end. Thread: any.
package final class RecorderWatch: Sendable {
  /// Receives a recorder's state. Called by one thread at a time.
  package protocol Listener: AnyObject, Sendable {
    /// What it is, for people: `the state file 'front.json'`.
    var title: String { get }
    func tell(_ state: RecorderState) throws(CamrecError)
    /// The recorder has ended; `state` is its last.
    func end(_ state: RecorderState) throws(CamrecError)
  }

  private let recorder: RecorderService
  private let listener: any Listener
  private let warn: @Sendable (String) -> Void
  private let note: @Sendable (String) -> Void
  private let isClosed = Atomic<Bool>(false)
  private let bell = MonotonicSemaphore()
  private let thread = Mutex<WorkThread?>(nil)
  /// The recorder's last state, from its end on.
  private let last = Mutex<RecorderState?>(nil)

  /// Nanoseconds between two reports.
  private static let interval: Int64 = 1_000_000_000
  /// The time between two looks at the phase, and at what was refused.
  private static let beat = 0.1
  /// Seconds that the listener may take for the last report.
  private static let farewell = 2.0

  /// - Parameters:
  ///   - warn: called with a sentence when the listener begins to fail, or does not hear of the end; any thread.
  ///   - note: called, with a sentence, when it can again; any thread.
  package init(
    _ recorder: RecorderService, _ listener: any Listener, warn: @escaping @Sendable (String) -> Void,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.recorder = recorder
    self.listener = listener
    self.warn = warn
    self.note = note
    thread.withLock { $0 = WorkThread(name: "camrec-watch") { [self] in run() } }
  }

  private func run() {
    var fault = ReportFault()
    var told: (time: MonotonicTime, phase: RecorderState.Phase, failure: String?)?
    while !isClosed.load(ordering: .acquiring) {
      let state = recorder.ownState, now = MonotonicTime.now()
      let isDue = told.map {
        // A start that is refused may be over between two looks at the phase.
        now - $0.time >= RecorderWatch.interval || $0.phase != state.phase || $0.failure != state.startFailure
      }
      if isDue ?? true {
        told = (now, state.phase, state.startFailure)
        attempt(&fault) { () throws(CamrecError) in try listener.tell(state) }
      }
      bell.wait(within: RecorderWatch.beat)
    }
    guard let state = last.withLock({ $0 }) else { return }
    attempt(&fault) { () throws(CamrecError) in try listener.end(state) }
  }

  /// Call when the recorder has ended. Waits until the listener was told, but not for one that does not answer.
  ///
  /// - Parameter failure: why nothing could be recorded.
  package func close(failure: CamrecError? = nil) {
    var state = recorder.ownState
    state.phase = .ended
    if let failure { state.failure = failure.description }
    last.withLock { $0 = state }
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    bell.signal()
    guard let thread = thread.withLock({ $0 }), !thread.join(within: RecorderWatch.farewell) else { return }
    warn("\(listener.title) does not answer; the recorder's end is not reported there")
  }

  private func attempt(_ fault: inout ReportFault, _ body: () throws(CamrecError) -> Void) {
    do throws(CamrecError) {
      try body()
      if fault.succeeded(at: .now()) { note("\(listener.title) is written again") }
    } catch {
      guard fault.failed() else { return }
      warn("\(error.description); the recorder continues without it, and tries again every second")
    }
  }
}
