/// `camrec ctl snapshot OUT` is `camrec snapshot OUT`, with ctl's ways to choose a recorder.
enum RecorderSnapshot {
  static let word = "snapshot"

  /// - Parameter words: the command line without the program's name.
  static func rewriting(_ words: [String]) -> [String] {
    guard words.first == "ctl" else { return words }
    var place = 1
    while place < words.count, words[place].hasPrefix("-"), words[place] != "--" {
      place += CtlCommand.optionsWithValue.contains(words[place]) ? 2 : 1
    }
    guard place < words.count, words[place] == word else { return words }
    return [word] + words[1..<place] + words[(place + 1)...]
  }
}
