/// Reads a section's settings as a command line would, and reports each error at its place in the file.
public struct SectionArguments<Value> {
  public let entry: SectionFile.Section
  public internal(set) var findings: [FileFinding] = []
  let language: SectionLanguage<Value>
  /// Settings that the entry lacks, or whose values were refused: a sentence that names one of them is not about the
  /// file.
  private let absent: Set<String>

  public init(_ entry: SectionFile.Section, _ language: SectionLanguage<Value>) {
    self.init(entry, language, without: [])
  }

  init(_ entry: SectionFile.Section, _ language: SectionLanguage<Value>, without absent: Set<String>) {
    self.entry = entry
    self.language = language
    self.absent = absent.union(entry.refused)
  }

  /// - Parameter added: arguments that are not in the file.
  /// - Returns: `nil` if something is wrong.
  public mutating func parse(adding added: [String] = []) -> Value? {
    do throws(ArgumentRefusal) { return try language.read(entry.arguments + added) } catch {
      checkValues()
      if findings.isEmpty { blame(error.message) }
      return nil
    }
  }

  /// Checks each value by itself, so that all wrong ones are named at once.
  private mutating func checkValues() {
    for setting in entry.settings {
      for (value, argument) in zip(setting.values, setting.arguments) {
        guard let reason = refusal(argument)?.reason else { continue }
        say(value.place, setting, reason + (reason.contains("this is '") ? "" : "; this is '\(value.text)'"))
      }
    }
  }

  private func refusal(_ argument: String) -> ArgumentRefusal? {
    do throws(ArgumentRefusal) {
      _ = try language.read([argument])
      return nil
    } catch { return error }
  }

  public mutating func say(_ place: FilePlace, _ setting: SectionFile.Setting, _ message: String) {
    findings.append(FileFinding(.error, place, key: entry.path(of: setting), message))
  }

  /// Adds a finding. Its place is that of the options that the sentence names, or else of the values that it quotes.
  public mutating func blame(_ message: String, key: String? = nil, severity: FileFinding.Severity = .error) {
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
