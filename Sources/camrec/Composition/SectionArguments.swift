import ArgumentParser
import Foundation
import SectionFile

/// Parses a section's settings with a command's own parser, so that a file and a command line can never differ; reports
/// each error at its place in the file.
struct SectionArguments<Command: ParsableCommand> {
  let entry: SectionFile.Section
  var findings: [FileFinding] = []
  /// Settings that the entry lacks, or whose values were refused: a sentence that names one of them is not about the
  /// file.
  private let absent: Set<String>

  init(_ entry: SectionFile.Section, without absent: Set<String> = []) {
    self.entry = entry
    self.absent = absent.union(entry.refused)
  }

  /// - Parameter added: arguments that are not in the file.
  /// - Returns: `nil` if something is wrong.
  mutating func parse(adding added: [String] = []) -> Command? {
    do { return try Command.parse(entry.arguments + added) } catch {
      checkValues()
      if findings.isEmpty { blame(Command.message(for: error)) }
      return nil
    }
  }

  /// Checks each value by itself, so that all wrong ones are named at once.
  private mutating func checkValues() {
    for setting in entry.settings {
      for (value, argument) in zip(setting.values, setting.arguments) {
        guard let reason = Self.refusal(argument)?.reason else { continue }
        say(value.place, setting, reason + (reason.contains("this is '") ? "" : "; this is '\(value.text)'"))
      }
    }
  }

  private static func refusal(_ argument: String) -> RefusedValue? {
    do {
      _ = try Command.parse([argument])
      return nil
    } catch { return RefusedValue(error) }
  }

  mutating func say(_ place: FilePlace, _ setting: SectionFile.Setting, _ message: String) {
    findings.append(FileFinding(.error, place, key: entry.path(of: setting), message))
  }

  /// Adds a finding. Its place is that of the options that the sentence names, or else of the values that it quotes.
  mutating func blame(_ message: String, key: String? = nil, severity: FileFinding.Severity = .error) {
    let options = message.matches(of: /--([a-z][a-z0-9-]*)/).map { String($0.1) }
    guard absent.isDisjoint(with: options) else { return }
    let named = options.compactMap(entry.setting)
    let quoted = entry.settings.filter { $0.values.contains { message.contains("'\($0.text)'") } }
    let setting =
      (named.isEmpty ? quoted : named).max { $0.place < $1.place } ?? key.flatMap { entry.setting($0) }
    // Keys have no dashes here.
    let sentence = message.replacing(/--([a-z][a-z0-9-]*)/) { "\($0.1)" }
    // The same sentence may come several times: the first time has the place.
    guard !findings.contains(where: { $0.message == sentence }) else { return }
    findings.append(
      FileFinding(
        severity, setting?.place ?? entry.place, key: setting.map { entry.path(of: $0) } ?? entry.path, sentence))
  }
}
