import ArgumentParser
import Foundation
import SectionFile

/// Reads a section's settings by the parser of a command, so that a file and a command line can never differ; what is
/// wrong is said at its place in the file.
struct SectionArguments<Command: ParsableCommand> {
  let entry: SectionFile.Section
  var findings: [FileFinding] = []

  init(_ entry: SectionFile.Section) { self.entry = entry }

  /// - Parameter added: arguments that the file does not say.
  /// - Returns: `nil` where something is wrong.
  mutating func parse(adding added: [String] = []) -> Command? {
    do { return try Command.parse(entry.arguments + added) } catch {
      checkValues()
      if findings.isEmpty { blame(Command.message(for: error)) }
      return nil
    }
  }

  /// Each value by itself, so that all that are wrong are named at once.
  private mutating func checkValues() {
    for setting in entry.settings {
      for (value, argument) in zip(setting.values, setting.arguments) {
        guard let message = refusal([argument]), let sentence = Self.ofValue(message, setting.key) else { continue }
        say(value.place, setting, sentence + (sentence.contains("this is '") ? "" : "; this is '\(value.text)'"))
      }
    }
  }

  private func refusal(_ arguments: [String]) -> String? {
    do {
      _ = try Command.parse(arguments)
      return nil
    } catch { return Command.message(for: error) }
  }

  /// What a parser says of a value: "The value 'x' is invalid for '--fps <rate>': …".
  private static func ofValue(_ message: String, _ key: String) -> String? {
    guard message.hasPrefix("The value '"), let name = message.range(of: "for '--\(key)"),
      let end = message.range(of: "'", range: name.upperBound..<message.endIndex)
    else { return nil }
    return String(message[end.upperBound...].drop { ":. ".contains($0) })
  }

  mutating func say(_ place: FilePlace, _ setting: SectionFile.Setting, _ message: String) {
    findings.append(FileFinding(.error, place, key: entry.path(of: setting), message))
  }

  /// Finds the place of what is wrong by the options that the sentence names.
  mutating func blame(_ message: String, key: String? = nil, severity: FileFinding.Severity = .error) {
    let named = message.matches(of: /--([a-z][a-z0-9-]*)/).compactMap { entry.setting(String($0.1)) }
    let setting = named.max { $0.place < $1.place } ?? key.flatMap { entry.setting($0) }
    // Keys have no dashes here.
    let sentence = message.replacing(/--([a-z][a-z0-9-]*)/) { "\($0.1)" }
    // Several ways lead to the same sentence: the first one has the place.
    guard !findings.contains(where: { $0.message == sentence }) else { return }
    findings.append(
      FileFinding(
        severity, setting?.place ?? entry.place, key: setting.map { entry.path(of: $0) } ?? entry.path, sentence))
  }
}
