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
  private let output: String
  private let sources: [any DispatchSourceSignal]

  /// - Parameter output: what to name when waiting is given up.
  init(output: String) {
    self.output = output
    // A reader that goes away, or a file-size limit, is told to the caller and ends nothing.
    for ignored in [SIGPIPE, SIGXFSZ] { _ = signal(ignored, SIG_IGN) }
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      _ = signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    for source in sources {
      source.setEventHandler { [weak self] in self?.arrived() }
      source.resume()
    }
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
    HumanText.write(
      session == nil
        ? "\ngave up\n" : "\ngave up waiting; \(output) was not finished, and plays up to its last fragment\n")
    _exit(ExitStatus.interrupted.rawValue)
  }
}
