extension SectionArguments {
  /// Parses a section again without its wrong settings, so that the rest can be checked as well.
  ///
  /// - Parameter added: arguments that are not in the file.
  /// - Returns: `nil` if nothing is left to parse.
  public mutating func parseRest(adding added: [String] = []) -> Value? {
    var wrong = Set(findings.compactMap(\.key)), rest = entry
    while true {
      let kept = rest.without(wrong)
      guard kept.settings.count < rest.settings.count else { return nil }
      rest = kept
      // An error that exists only without the removed settings is not one of the file.
      let missing = Set(entry.settings.map(\.key).filter { rest.setting($0) == nil })
      var words = SectionArguments(rest, language, without: missing)
      if let value = words.parse(adding: added) { return value }
      findings += words.findings
      wrong.formUnion(words.findings.compactMap(\.key))
    }
  }
}
