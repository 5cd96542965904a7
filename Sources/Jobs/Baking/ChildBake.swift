import Foundation
import Synchronization

/// Reads the events of a bake in another process, one per line (`bake --json`).
///
/// Thread: any.
package final class ChildBake: Sendable {
  private struct Event: Decodable {
    struct Ledger: Decodable {
      struct Lost: Decodable {
        let deviceGap, deviceError, overload, disk, defect: Int
        var total: Int { deviceGap + deviceError + overload + disk + defect }
      }
      let lost: Lost
    }
    struct Failure: Decodable {
      let message: String
      let cause: String?
      var words: String { cause.map { "\(message) (\($0))" } ?? message }
    }
    let event: String
    let message: String?
    let facts: [String: String]?
    let colorIn: String?
    let isColorInGuessed: Bool?
    let seconds: Double?
    let frames: Int64?
    let output: String?
    let isPartial: Bool?
    let total: Int?
    let discarded: Int?
    let ledger: Ledger?
    let soundError: Failure?
    let error: Failure?
  }

  private struct State {
    var start: Event?
    var warnings: [String] = []
    var notes: [[String: String]] = []
    var end: Event?
    /// Its last line outside the events, such as a crash's last words.
    var noise: String?
  }

  private let state = Mutex(State())
  private let reached: @Sendable (_ seconds: Double) -> Void

  /// - Parameter reached: called with the seconds of film so far.
  package init(reached: @escaping @Sendable (_ seconds: Double) -> Void) { self.reached = reached }

  /// A line of its standard output.
  package func hear(_ line: String) {
    guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)) else { return }
    switch event.event {
    case "started": state.withLock { $0.start = event }
    case "progress": if let seconds = event.seconds { reached(seconds) }
    case "warning": if let message = event.message { state.withLock { $0.warnings.append(message) } }
    case "note": if let facts = event.facts { state.withLock { $0.notes.append(facts) } }
    case "stopped": state.withLock { $0.end = event }
    default: break
    }
  }

  /// A line of its standard error.
  package func overhear(_ line: String) {
    if !line.isEmpty { state.withLock { $0.noise = line } }
  }

  /// The clip's outcome.
  ///
  /// - Parameters:
  ///   - ending: how its process ended, in words.
  ///   - seconds: time taken.
  package func outcome(status: Int32, ending: String, seconds: Double) -> BakedClip {
    let state = state.withLock { $0 }
    var outcome = BakedClip(status: status, seconds: seconds)
    outcome.warnings = state.warnings
    (outcome.colorIn, outcome.isColorInGuessed) = (state.start?.colorIn, state.start?.isColorInGuessed)
    guard let end = state.end else {
      outcome.error = state.noise ?? ending
      return outcome
    }
    (outcome.frames, outcome.length) = (end.frames, end.seconds)
    outcome.lost = end.ledger?.lost.total
    state.notes.forEach { outcome.note($0) }
    outcome.discarded = end.discarded
    if end.isPartial == true, let path = end.output {
      outcome.partial = BakedClip.Partial(path: path, planned: end.total)
    }
    outcome.error = end.error?.words ?? end.soundError.map { "the audio ended early: \($0.words)" }
    return outcome
  }
}
