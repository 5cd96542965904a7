public import Frames

/// Guesses from a LUT's title and file name which footage it is for.
public enum LUTPurpose {
  /// Longer names first, because `slog3` begins with `slog`.
  private static let curves: [(word: String, transfer: TransferCharacteristic?)] = [
    ("applelog", .appleLog), ("slog3", .slog3), ("slog2", nil), ("slog", nil), ("vlog", .vlog), ("logc4", .logC4),
    ("logc3", .logC3), ("logc", .logC3), ("flog2", .fLog2), ("flog", nil), ("clog3", .cLog3), ("canonlog3", .cLog3),
    ("clog", nil), ("canonlog", nil), ("nlog", nil), ("log3g10", nil), ("dlog", nil), ("protune", nil),
  ]

  private static let logs: Set<TransferCharacteristic> = [.appleLog, .slog3, .vlog, .logC3, .logC4, .fLog2, .cLog3]

  /// Why a LUT is probably not meant for an input, for people; `nil` if nothing speaks against it.
  ///
  /// - Parameters:
  ///   - names: its title, and the name of its file.
  ///   - input: the transfer function of the input; an unspecified one raises no doubt.
  public static func doubt(_ names: [String], about input: TransferCharacteristic) -> String? {
    guard input != .unspecified else { return nil }
    for name in names {
      // The words after "to" name the output.
      let words = words(of: name)
      let source = words.firstIndex(of: "to").map { Array(words[..<$0]) } ?? words
      if let curve = curves.first(where: { isSaid($0.word, by: source) }) {
        if let transfer = curve.transfer { return transfer == input ? nil : "'\(name)' is for \(transfer.rawValue)" }
        return logs.contains(input) ? "'\(name)' is for another log curve" : "'\(name)' is for log footage"
      }
      if source.contains(where: { $0 == "log" || $0.hasPrefix("log2") || $0.hasPrefix("logto") }) {
        return logs.contains(input) ? nil : "'\(name)' is for log footage"
      }
    }
    return nil
  }

  /// True for a word by itself, a word with its target attached (`applelogtorec709`), or two words side by side
  /// (`s log3`).
  private static func isSaid(_ curve: String, by words: [String]) -> Bool {
    let pairs = zip(words, words.dropFirst()).filter { $0.0.count == 1 || curve == "applelog" }.map { $0 + $1 }
    return words.contains { $0 == curve || $0.hasPrefix(curve + "to") || $0.hasPrefix(curve + "2") && curve != "flog" }
      || pairs.contains(curve)
  }

  /// `Sony S-Log3 to Rec709` becomes `sony`, `slog3`, `to`, `rec709`: a hyphen joins, as in the curves' own names.
  private static func words(of name: String) -> [String] {
    let joined = name.lowercased().replacing("-", with: "")
    return joined.split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}
