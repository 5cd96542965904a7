import Foundation
import Recorder
import Telemetry

/// A state file in words.
enum StateDescription {
  static func lines(of record: StateRecord, _ health: RecorderHealth) -> [String] {
    var lines = RecorderDescription.lines(of: record.state)
    let title = "\(record.name) (process \(record.writer.pid)): "
    let when = record.time.formatted(.iso8601)
    switch health {
    case .runs, .ended: lines[0] = title + lines[0]
    case .silent(let seconds):
      lines.insert(
        "\(title)has not said for \(HumanText.fixed(seconds, 0)) s how it goes: it hangs, or cannot write its state"
          + " file. Last, at \(when):", at: 0)
    case .gone:
      lines.insert("\(title)is gone and did not say that it ended. Last, at \(when):", at: 0)
    }
    // An older camrec says it also of a start that went well.
    if let starts = record.failedStarts, health != .runs, record.state.films == 0 {
      lines.append(
        "  \(starts) start\(starts == 1 ? "" : "s") in a row came to nothing; while its rig runs, it is tried again at"
          + " least once a minute")
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

  /// Of one that runs no more, on a line.
  static func line(of record: StateRecord, _ health: RecorderHealth) -> String {
    let title = "\(record.name) (process \(record.writer.pid)): "
    let end = health == .gone ? "is gone and did not say that it ended" : "ended"
    let failure = record.state.failure.map { ": \($0)" } ?? ""
    let film = record.state.film.map { "; the last film is \($0)" } ?? ""
    return "\(title)\(end), last heard of at \(record.time.formatted(.iso8601))\(failure)\(film)"
  }

  private static func text(_ effort: RecorderState.Effort) -> String {
    let causes = [(effort.loadStep, "load"), (effort.heatStep, "heat")].filter { $0.0 > 0 }.map(\.1).joined(
      separator: " and ")
    let preset = effort.preset.map { "preset \($0), " } ?? ""
    return "for \(causes): \(preset)\(effort.workers) thread\(effort.workers == 1 ? "" : "s") bake\(effort.workers == 1 ? "s" : "")"
  }

  private static func text(_ queues: RecorderState.Queues) -> String {
    func part(_ queue: RecorderState.Queue, _ words: String) -> String { "\(queue.depth)/\(queue.capacity) \(words)" }
    let parts = [part(queues.captured, "captured"), part(queues.baked, "baked"), part(queues.sound, "of sound")]
    return "waiting: " + parts.joined(separator: ", ")
  }
}
