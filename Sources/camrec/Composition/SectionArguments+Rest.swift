import ArgumentParser
import SectionFile

extension SectionArguments {
  /// Reads a section again without what was found to be wrong with it, so that the rest can be looked at as well.
  ///
  /// - Parameter added: arguments that the file does not say.
  /// - Returns: `nil` where there is nothing to go on with.
  mutating func parseRest(adding added: [String] = []) -> Command? {
    var wrong = Set(findings.compactMap(\.key)), rest = entry
    while true {
      let kept = rest.without(wrong)
      guard kept.settings.count < rest.settings.count else { return nil }
      rest = kept
      // What is wrong only without the others is not wrong in the file.
      var words = SectionArguments(rest, without: Set(entry.settings.map(\.key).filter { rest.setting($0) == nil }))
      if let command = words.parse(adding: added) { return command }
      findings += words.findings
      wrong.formUnion(words.findings.compactMap(\.key))
    }
  }
}
