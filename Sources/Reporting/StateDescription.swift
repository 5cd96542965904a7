import Foundation
import Recorder
package import RecorderAPI
package import RecorderRemote
import Telemetry

/// A state file in words.
package enum StateDescription {
  package static func lines(of record: StateRecord, _ health: RecorderHealth) -> [String] {
    var lines = RecorderDescription.lines(of: record.state)
    let title = "\(record.name) (process \(record.writer.pid)): "
    let when = record.time.formatted(.iso8601)
    switch health {
    case .runs: lines[0] = title + lines[0]
    case .ended:
      lines[0] = title + lines[0]
      let process = record.writer.isAlive ? "; its process still runs, and may wait for the hook" : ""
      lines.append("  last report at \(when)\(process)")
    case .silent(let seconds):
      lines.insert(
        "\(title)has not reported for \(HumanText.fixed(seconds, 0)) s: it hangs, or cannot write its state"
          + " file. Last report, at \(when):", at: 0)
    case .gone:
      lines.insert("\(title)is gone without having reported its end. Last report, at \(when):", at: 0)
    }
    // Only a rig counts beyond the first. An older camrec counts a start that went well, too.
    if let starts = record.failedStarts, starts > 1, health != .runs, record.state.films == 0 {
      lines.append(
        "  \(starts) starts in a row failed; while its rig runs, it is started again at least once a minute")
    }
    if let queues = record.state.queues, health == .runs { lines.append("  " + text(queues)) }
    if let effort = record.state.effort, health == .runs, effort.loadStep + effort.heatStep > 0 {
      lines.append("  " + text(effort))
    }
    if let rate = record.state.ratePartsPerMillion, health == .runs {
      lines.append("  the camera's clock is off by \(HumanText.fixed(rate, 1)) ppm")
    }
    return lines
  }

  /// A recorder that no longer runs, on one line.
  package static func line(of record: StateRecord, _ health: RecorderHealth) -> String {
    let title = "\(record.name) (process \(record.writer.pid)): "
    let end =
      health == .gone ? "is gone without having reported its end"
      : record.writer.isAlive ? "ended (its process still runs, and may wait for the hook)" : "ended"
    let failure = (record.state.startFailure ?? record.state.failure).map { ": \($0)" } ?? ""
    let film = record.state.film.map { "; the last film is \($0)" } ?? ""
    return "\(title)\(end), last report at \(record.time.formatted(.iso8601))\(failure)\(film)"
  }

  /// Recorders that no longer run and are not in the list, and the commands that list and remove them.
  package static func more(_ count: Int, list: String, forget: String) -> String {
    let (run, them) = count == 1 ? ("runs", "it") : ("run", "them")
    return "\(count) more that no longer \(run): \(list) lists \(them), \(forget) removes \(them)"
  }

  /// The same if there are no others.
  package static func onlyOlder(_ count: Int, list: String, forget: String) -> String {
    let (ones, them) = count == 1 ? ("one", "it") : ("ones", "them")
    return "no recorder has reported for a day; \(list) lists \(count) older \(ones), \(forget) removes \(them)"
  }

  private static func text(_ effort: RecorderState.Effort) -> String {
    let causes = [(effort.loadStep, "load"), (effort.heatStep, "heat")].filter { $0.0 > 0 }.map(\.1).joined(
      separator: " and ")
    let preset = effort.preset.map { ", preset \($0) for the next film" } ?? ""
    return "reduced for \(causes): \(HumanText.count(effort.workers, "worker"))\(preset)"
  }

  private static func text(_ queues: RecorderState.Queues) -> String {
    func part(_ queue: RecorderState.Queue, _ words: String) -> String { "\(queue.depth)/\(queue.capacity) \(words)" }
    let parts = [part(queues.captured, "captured"), part(queues.baked, "baked"), part(queues.sound, "audio")]
    return "waiting: " + parts.joined(separator: ", ")
  }
}
