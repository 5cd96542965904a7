/// The options that a command line has, whatever their values.
enum GivenOptions {
  /// - Parameter words: a command line that the parser has accepted.
  /// - Returns: their long names, without the dashes.
  static func names(in words: [String]) -> Set<String> {
    let options = words.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
    return Set(options.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
  }
}
