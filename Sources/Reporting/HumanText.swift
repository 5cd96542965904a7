import Foundation
package import Frames
import Platform
package import Recorder
import Telemetry
import Terminal

/// Words and writes camrec's sentences for people.
package enum HumanText {
  package static func error(_ error: CamrecError) { self.error(error.description) }
  package static func error(_ sentence: String) { say("Error: \(sentence)") }
  package static func warning(_ sentence: String) { say("Warning: \(sentence)") }

  /// Writes a sentence on one line, whatever the file names in it contain.
  package static func say(_ sentence: String) { write(VisibleText.line(sentence) + "\n") }

  /// Writes lines to standard error, above the status line if there is one. Makes control characters visible. Thread:
  /// any.
  package static func write(_ text: String) { Console.error.write(VisibleText.lines(text)) }

  /// A microphone's name after the word audio: without what says the same of a clip's.
  package static func microphone(_ name: String) -> Substring {
    name.hasPrefix("audio of ") ? name.dropFirst(9) : name[...]
  }

  /// The frames that were due before the film; `nil` if none were.
  package static func between(_ summary: SessionSummary) -> String? {
    between(summary.framesBetween ?? 0)
  }

  /// The same of a number of frames.
  package static func between(_ frames: Int) -> String? {
    guard frames > 0 else { return nil }
    return "\(count(frames, "frame")) \(frames == 1 ? "was" : "were") due between the previous film and this one"
  }

  /// Describes a recording that has left no film.
  package static func withoutFilm(_ summary: SessionSummary) -> String {
    guard !summary.held.isEmpty else { return "nothing was recorded" }
    let names = summary.held.map { "'\($0.path)'" }.joined(separator: ", ")
    return "all that was recorded was deleted meanwhile, and there is no copy yet: \(names)"
  }

  /// `0:01:23`.
  package static func clock(_ seconds: Double) -> String {
    let whole = Int(saturating: seconds)
    return "\(whole / 3600):\(padded(whole / 60 % 60)):\(padded(whole % 60))"
  }

  /// `2 days`, `5 h`, `1:30 h`, `30 min`, `45 s`: as exact as an estimate needs to be.
  package static func span(_ seconds: Double) -> String {
    let whole = Int(saturating: min(max(seconds, 0), 1e12)), minutes = whole / 60, hours = minutes / 60
    switch whole {
    case ..<120: return "\(whole) s"
    case ..<7200: return "\(minutes) min"
    case ..<172_800: return minutes % 60 == 0 || hours >= 10 ? "\(hours) h" : "\(hours):\(padded(minutes % 60)) h"
    default: return "\(hours / 24) days"
    }
  }

  /// With as many digits as it needs, at most six.
  package static func number(_ value: Double) -> String { String(format: "%g", value) }

  /// A number that rounds to 0 has no sign.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", value)
    return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
  }

  /// `1 frame`, `2 frames`.
  package static func count(_ count: some BinaryInteger, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }

  /// `12.3 MB`: decimal units, as disks are sold.
  package static func bytes(_ count: Int64) -> String {
    var value = Double(count)
    var units = ["B", "kB", "MB", "GB", "TB"][...]
    while value >= 1000, units.count > 1 {
      value /= 1000
      units.removeFirst()
    }
    return units.first == "B" ? "\(count) B" : "\(fixed(value, value < 100 ? 1 : 0)) \(units.first ?? "")"
  }

  /// The ledger in a sentence; each loss by its reason.
  package static func ledger(_ counts: FrameLedger.Counts) -> String {
    let account = "expected \(counts.expected), captured \(counts.captured), written \(counts.written)"
    return "\(account), \(losses { Int64(counts.lost($0)) })"
  }

  /// `; 5 frames repeated in gaps`; empty if none are.
  package static func repeats(_ frames: Int) -> String {
    frames == 0 ? "" : "; \(count(frames, "frame")) repeated in gaps"
  }

  /// `lost 5: 3 never came from the camera, 2 arrived damaged`.
  ///
  /// - Parameters:
  ///   - words: what happened to frames that were lost for a reason.
  ///   - cutOff: frames that were written, and that a recovery did not find.
  package static func losses(
    words: (LossReason) -> String = { $0.words.fate() }, cutOff: Int64 = 0, _ frames: (LossReason) -> Int64
  ) -> String {
    var losses = LossReason.allCases.map { (frames($0), words($0)) }
    losses.append((cutOff, "when the film was cut off or damaged"))
    losses.removeAll { $0.0 == 0 }
    guard !losses.isEmpty else { return "lost 0" }
    let total = losses.reduce(Int64(0)) { $0.addingReportingOverflow($1.0).partialValue }
    return "lost \(total): " + losses.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// `960 samples of audio lost`; `nil` if none are.
  ///
  /// - Parameter samples: of each channel.
  package static func lostAudio(_ samples: some BinaryInteger) -> String? {
    samples > 0 ? "\(count(samples, "sample")) of audio lost" : nil
  }

  package static func words(_ reason: LossReason) -> String { reason.words.fate() }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// `pre-roll: the last 10 s or slightly more are kept, in at most 61 MB of memory`.
  package static func preRoll(_ preRoll: PreRollDescription) -> String {
    let short =
      preRoll.secondsAtMost < preRoll.seconds
      ? "; frames that are hard to encode may leave only about \(fixed(preRoll.secondsAtMost, 1)) s" : ""
    return "pre-roll: the last \(number(preRoll.seconds)) s or slightly more are kept,"
      + " in at most \(bytes(Int64(preRoll.bytes))) of memory\(short)"
  }
}
