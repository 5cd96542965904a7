import Foundation
package import Frames
package import Logging
import Platform
import Reporting
package import SectionFile
package import Supervision
import Terminal

/// Reports on a rig's recordings: to people with the camera's name before each sentence, to programs as events. Thread:
/// any.
package final class RigNarrator: Sendable {
  private struct Note: Encodable {
    let event: String
    var name: String?
    var pid: Int32?
    var severity: ChildWatch.Urgency?
    var message: String?
  }

  private let json: Bool
  private let log: Logger?
  /// The recordings write log lines to standard error; pass them on unchanged.
  private let passesLines: Bool

  /// - Parameter log: `nil` to write for people; the recordings then keep logs of their own.
  package init(json: Bool, log: Logger?, passesLines: Bool) {
    self.json = json
    self.log = log
    self.passesLines = passesLines
  }

  /// About the rig as a whole.
  package func warn(_ sentence: String) {
    if let log { log.warning("\(sentence)") } else { HumanText.warning(sentence) }
    if json { write(Note(event: "rig", severity: .warning, message: sentence)) }
  }

  /// About the rig as a whole.
  package func note(_ urgency: ChildWatch.Urgency, _ sentence: String) {
    if urgency != .info { return warn(sentence) }
    if let log { log.notice("\(sentence)") } else { HumanText.write(sentence + "\n") }
    if json { write(Note(event: "rig", severity: urgency, message: sentence)) }
  }

  /// About a film that a crash left.
  package func tell(_ note: FolderRecovery.Note) {
    self.note(note.recorder, note.urgency, note.sentence, film: note.film)
    if json { write(Note(event: "rig", name: note.recorder, severity: note.urgency, message: note.sentence)) }
  }

  /// About the rig file.
  package func tell(_ finding: FileFinding, in file: String) {
    let line = finding.line(file: file)
    let (urgency, level): (ChildWatch.Urgency, Logger.Level) = switch finding.severity {
      case .error: (.error, .error)
      case .fault, .warning: (.warning, .warning)
      case .note: (.info, .notice)
    }
    if let log { log.log(level: level, "\(line)") } else { HumanText.write(line + "\n") }
    if json { write(Note(event: "rig", severity: urgency, message: line)) }
  }

  /// The rig cannot start, or ends at once.
  ///
  /// - Parameter tellPeople: writes the error for people; is not called if it goes to a log.
  package func fail(_ error: CamrecError, tellPeople: () -> Void) {
    if let log { log.error("\(error.message)", metadata: LogReporter.facts(error)) } else { tellPeople() }
    if json { write(Note(event: "rig", severity: .error, message: error.message)) }
  }

  package func tell(_ name: String, _ tale: Supervisor.Tale) {
    switch tale {
    case .event(let line):
      if json {
        // A JSON object that is not empty.
        let isRoutine = line.contains(#""event":"progress""#) || line.contains(#""event":"alive""#)
        EventLine.write(line: "{\"name\":\"\(name)\",\(line.dropFirst())", isRoutine ? .routine : .news)
      } else if log == nil, let news = ChildNews(line: line), let sentence = RigNarrator.sentence(news) {
        say(name, sentence)
      }
    case .words(let line):
      if line.isEmpty { return }
      if passesLines { return HumanText.write(line + "\n") }
      // Usually the last words of a crashing program.
      if let log { log.error("\(line)", metadata: ["camera": "\(name)"]) } else { say(name, line) }
    case .note(let urgency, let sentence):
      note(name, urgency, sentence)
      if json { write(Note(event: "rig", name: name, severity: urgency, message: sentence)) }
    case .started(let pid):
      if json { write(Note(event: "process", name: name, pid: pid)) }
    case .ended: break
    }
  }

  private func note(_ name: String, _ urgency: ChildWatch.Urgency, _ sentence: String, film: String? = nil) {
    let (word, level): (String, Logger.Level) = switch urgency {
      case .info: ("", .notice)
      case .warning: ("Warning: ", .warning)
      case .error: ("Error: ", .error)
    }
    if let log {
      var facts: Logger.Metadata = ["camera": "\(name)"]
      if let film { facts["film"] = "\(film)" }
      log.log(level: level, "\(sentence)", metadata: facts)
    } else {
      say(name, word + sentence)
    }
  }

  private static func sentence(_ news: ChildNews) -> String? {
    switch news.event {
    case "started":
      let rate: String? = if case .exact(let rate)? = news.fps { rate } else { nil }
      let mode = "\(news.width ?? 0)x\(news.height ?? 0) at \(rate ?? "?") fps"
      return "recording to \(news.output ?? "?") (\(news.camera ?? "?"), \(mode))"
    case "standby": return "standing by"
    case "note": return news.message
    case "warning", "effort":
      let word = news.severity == "error" ? "Error" : "Warning"
      return news.message.map { "\(word): \($0)" }
    case "segment", "stopped":
      // What went wrong has been said on standard error.
      guard let ledger = news.ledger, let output = news.output else { return nil }
      let what = news.segments.map { "the film in \(HumanText.count($0, "segment"))" } ?? output
      let audio = HumanText.lostAudio(news.sound?.lost ?? 0).map { "; \($0)" } ?? ""
      let between = HumanText.between(news.between ?? 0).map { "; \($0)" } ?? ""
      return "\(what) has ended: \(text(ledger))\(audio)\(between)"
    default: return nil
    }
  }

  private static func text(_ ledger: ChildNews.Ledger) -> String {
    "expected \(ledger.expected), captured \(ledger.captured), written \(ledger.written), "
      + HumanText.losses { Int64(ledger.lost[$0.rawValue] ?? 0) }
  }

  private func say(_ name: String, _ sentence: String) { HumanText.write("\(name): \(sentence)\n") }

  private func write(_ note: Note) { EventLine.write(note) }
}
