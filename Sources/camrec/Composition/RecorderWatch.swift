import Dispatch
import Foundation
import Frames
import Recorder
import Synchronization
import Telemetry

/// Looks at a recorder once a second, and whenever its phase has changed, and tells those who want to know: the state
/// file and what else watches.
///
/// On a thread of its own, which touches nothing of the way of a frame. Thread: any.
final class RecorderWatch: Sendable {
  /// Somebody who wants to know. Called by one thread at a time.
  protocol Listener: AnyObject, Sendable {
    func tell(_ state: RecorderState) throws(CamrecError)
    /// The recorder has ended; `state` is its last.
    func end(_ state: RecorderState) throws(CamrecError)
  }

  private let recorder: RecorderService
  private let listeners: [any Listener]
  private let warn: @Sendable (String) -> Void
  private let isClosed = Atomic<Bool>(false)
  private let bell = DispatchSemaphore(value: 0)
  private let thread = Mutex<WorkThread?>(nil)
  /// By the listener's place: it has failed, and that was said.
  private let failed: Mutex<[Bool]>

  /// Nanoseconds between two looks that are told, and between two at the phase.
  private static let interval: Int64 = 1_000_000_000
  private static let beat = DispatchTimeInterval.milliseconds(100)

  /// - Parameter warn: is given the sentence where a listener cannot do its work, once for each; any thread.
  init(_ recorder: RecorderService, _ listeners: [any Listener], warn: @escaping @Sendable (String) -> Void) {
    self.recorder = recorder
    self.listeners = listeners
    self.warn = warn
    failed = Mutex(listeners.map { _ in false })
    guard !listeners.isEmpty else { return }
    thread.withLock { $0 = WorkThread(name: "camrec-watch") { [self] in run() } }
  }

  private func run() {
    var last: (time: MonotonicTime, phase: RecorderState.Phase)?
    while !isClosed.load(ordering: .acquiring) {
      let state = recorder.ownState, now = MonotonicTime.now()
      if last.map({ now - $0.time >= RecorderWatch.interval || $0.phase != state.phase }) ?? true {
        last = (now, state.phase)
        tell { (listener) throws(CamrecError) in try listener.tell(state) }
      }
      _ = bell.wait(timeout: .now() + RecorderWatch.beat)
    }
  }

  /// The recorder has ended. Waits until everybody was told.
  ///
  /// - Parameter failure: what made it impossible.
  func close(failure: CamrecError? = nil) {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    bell.signal()
    thread.withLock { $0 }?.join()
    var state = recorder.ownState
    state.phase = .ended
    if let failure { state.failure = failure.description }
    tell { (listener) throws(CamrecError) in try listener.end(state) }
  }

  private func tell(_ body: (any Listener) throws(CamrecError) -> Void) {
    for (place, listener) in listeners.enumerated() {
      do throws(CamrecError) {
        try body(listener)
        failed.withLock { $0[place] = false }
      } catch {
        let isNew = failed.withLock { failed in
          defer { failed[place] = true }
          return !failed[place]
        }
        if isNew { warn("\(error.description); the recording goes on without it") }
      }
    }
  }
}
