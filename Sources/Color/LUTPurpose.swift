public import Frames

/// Guesses from a LUT's title and file name which footage it is for, and which colours come out of it.
public enum LUTPurpose {
  /// Longer names first, because `slog3` begins with `slog`.
  private static let curves: [(word: String, transfer: TransferCharacteristic?)] = [
    ("applelog", .appleLog), ("slog3", .slog3), ("slog2", nil), ("slog", nil), ("vlog", .vlog), ("logc4", .logC4),
    ("logc3", .logC3), ("logc", .logC3), ("flog2", .fLog2), ("flog", nil), ("clog3", .cLog3), ("canonlog3", .cLog3),
    ("clog", nil), ("canonlog", nil), ("nlog", nil), ("log3g10", nil), ("dlog", nil), ("protune", nil),
  ]

  /// The other colours that camrec's own titles name in front of "to", as `words(of:)` spells them.
  private static let others: [(word: String, name: String)] = [
    ("rec709", "rec709"), ("rec601", "rec601"), ("srgb", "srgb"), ("rec2020", "rec2020"), ("displayp3", "display-p3"),
    ("pq", "pq"), ("hlg", "hlg"),
  ]

  private static let logs = Set(ColorDescription.logs.map(\.transfer))

  /// Why a LUT is probably not meant for an input, for people; `nil` if nothing speaks against it.
  ///
  /// - Parameters:
  ///   - names: its title, and the name of its file.
  ///   - input: the transfer function of the input; if it is unspecified, only the primaries can raise a doubt.
  ///   - primaries: of the input; `unspecified`: nothing says which.
  public static func doubt(
    _ names: [String], about input: TransferCharacteristic, primaries: ColorPrimaries = .unspecified
  ) -> String? {
    guard input != .unspecified || primaries != .unspecified else { return nil }
    for name in names {
      // The words after "to" name the output.
      let words = words(of: name)
      let source = end(ofSourceIn: words).map { Array(words[..<$0]) } ?? words
      if let curve = curves.first(where: { isSaid($0.word, by: source) }) {
        if let transfer = curve.transfer {
          return fits(transfer, input, primaries) ? nil : "'\(name)' is for \(transfer.rawValue)"
        }
        guard input != .unspecified else { return nil }
        return logs.contains(input) ? "'\(name)' is for another log curve" : "'\(name)' is for log footage"
      }
      // HDR has its primaries named beside it: "PQ Rec2020".
      let color = source.last { ["pq", "hlg"].contains($0) } ?? source.last
      if source.count < words.count, let other = others.first(where: { $0.word == color }) {
        return fits(other.word, input, primaries) ? nil : "'\(name)' is for \(other.name)"
      }
      if source.contains(where: { $0 == "log" || $0.hasPrefix("log2") || $0.hasPrefix("logto") }) {
        return input == .unspecified || logs.contains(input) ? nil : "'\(name)' is for log footage"
      }
    }
    return nil
  }

  /// Why a film in these colours is probably not what the LUT gives, for people; `nil` if nothing speaks against it.
  ///
  /// - Parameters:
  ///   - names: its title, and the name of its file.
  ///   - output: the colours that the film is said to have.
  public static func doubt(_ names: [String], aboutOutput output: ColorDescription) -> String? {
    for name in names {
      let words = words(of: name)
      // A look's title may have another "to" in front.
      for index in words.indices.reversed() where words[index] == "to" {
        let target = words[(index + 1)...].prefix(2)
        // HDR has its primaries named beside it: "Rec2020 PQ".
        let color = target.first == "rec2020" ? target.last { ["pq", "hlg"].contains($0) } ?? "rec2020" : target.first
        if let other = others.first(where: { $0.word == color }) {
          return fits(other.word, output.transfer, output.primaries) ? nil : "'\(name)' gives \(other.name)"
        }
        if let transfer = curves.first(where: { $0.word == color })?.transfer {
          return fits(transfer, output.transfer, output.primaries) ? nil : "'\(name)' gives \(transfer.rawValue)"
        }
      }
    }
    return nil
  }

  /// The "to" behind the words that name the input: the last one behind a colour's name, because a look's title may
  /// have another in front.
  private static func end(ofSourceIn words: [String]) -> Int? {
    let known = others.map(\.word) + curves.map(\.word)
    return words.indices.last { $0 > 0 && words[$0] == "to" && known.contains(words[$0 - 1]) }
      ?? words.firstIndex(of: "to")
  }

  /// An input that does not say its curve may have it, unless it says the primaries of another log curve: those of
  /// most makers have no number, so their footage often says Rec. 709.
  private static func fits(
    _ curve: TransferCharacteristic, _ input: TransferCharacteristic, _ primaries: ColorPrimaries
  ) -> Bool {
    guard input == .unspecified else { return curve == input }
    // Canon's cameras record this one with other primaries, too.
    return curve == .cLog3 || primaries == .rec709
      || ColorDescription.logs.contains { $0.transfer == curve && $0.primaries == primaries }
  }

  /// Rec. 601, Rec. 709 and sRGB are near enough to each other.
  private static func fits(
    _ word: String, _ input: TransferCharacteristic, _ primaries: ColorPrimaries
  ) -> Bool {
    switch word {
    case "pq": input == .pq || input == .unspecified
    case "hlg": input == .hlg || input == .unspecified
    case _ where ![.rec709, .srgb, .unspecified].contains(input): false
    case "rec2020": primaries == .rec2020 || primaries == .unspecified
    case "displayp3": primaries == .displayP3 || primaries == .unspecified
    default: primaries != .rec2020 && primaries != .displayP3
    }
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
