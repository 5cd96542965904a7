import Dispatch
import Foundation
import Frames
import Recorder
import Synchronization

/// Turns Ctrl-C, SIGTERM and SIGHUP into a clean stop; a second one gives up waiting.
///
/// Thread: any. Made before the camera is opened, so that no signal ends camrec between changing a device and putting
/// it back.
///
/// `@unchecked Sendable`: `sources` is a constant whose elements libdispatch lets any thread cancel; the rest is
/// locked.
final class StopSignals: @unchecked Sendable {
  private struct State {
    var session: RecordingSession?
    var count = 0
  }

  private let state = Mutex(State())
  private let leftover: String
  private let sources: [any DispatchSourceSignal]

  /// - Parameter leftover: what to say, when waiting is given up, of a film that was begun.
  init(leftover: String) {
    self.leftover = leftover
    // A reader that goes away, or a file-size limit, is told to the caller and ends nothing.
    for ignored in [SIGPIPE, SIGXFSZ] { _ = signal(ignored, SIG_IGN) }
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      let before = signal(number, SIG_IGN)
      // Under nohup the end of the terminal is ignored already, and stays so.
      if number == SIGHUP, StopSignals.isIgnoring(before) { return nil }
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    for source in sources {
      source.setEventHandler { [weak self] in self?.arrived() }
      source.resume()
    }
  }

  private static func isIgnoring(_ handler: sighandler_t?) -> Bool {
    // Handlers are plain addresses, which C compares and Swift does not.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as sighandler_t?, to: Int.self)
  }

  deinit {
    sources.forEach { $0.cancel() }
  }

  /// Stops `session` at a signal, at once if one has come already.
  func watch(_ session: RecordingSession) {
    let hasCome = state.withLock {
      $0.session = session
      return $0.count > 0
    }
    if hasCome { session.requestStop() }
  }

  private func arrived() {
    let (session, count) = state.withLock {
      $0.count += 1
      return ($0.session, $0.count)
    }
    session?.requestStop()
    guard count > 1 else { return }
    HumanText.write(session?.hasBegunMovie == true ? "\ngave up waiting; \(leftover)\n" : "\ngave up waiting\n")
    _exit(ExitStatus.interrupted.rawValue)
  }
}
