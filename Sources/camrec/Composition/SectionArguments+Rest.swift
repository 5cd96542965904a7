import ArgumentParser
import SectionFile

extension SectionArguments {
  /// Parses a section again without its wrong settings, so that the rest can be checked as well.
  ///
  /// - Parameter added: arguments that are not in the file.
  /// - Returns: `nil` if nothing is left to parse.
  mutating func parseRest(adding added: [String] = []) -> Command? {
    var wrong = Set(findings.compactMap(\.key)), rest = entry
    while true {
      let kept = rest.without(wrong)
      guard kept.settings.count < rest.settings.count else { return nil }
      rest = kept
      // An error that exists only without the removed settings is not one of the file.
      var words = SectionArguments(rest, without: Set(entry.settings.map(\.key).filter { rest.setting($0) == nil }))
      if let command = words.parse(adding: added) { return command }
      findings += words.findings
      wrong.formUnion(words.findings.compactMap(\.key))
    }
  }
}
