/// The text of a suite of clips as they are: a case for each, with its hash.
public struct SuiteDraft: Hashable, Sendable {
  public struct Clip: Hashable, Sendable {
    /// Relative to the suite.
    public var path: String
    /// SHA-256 in hexadecimal.
    public var digest: String

    public init(path: String, digest: String) {
      self.path = path
      self.digest = digest
    }
  }

  /// In the order of the cases.
  public var clips: [Clip]

  /// Longest name of a case, in characters.
  private static let longestName = 32

  public init(clips: [Clip]) { self.clips = clips }

  public var text: String {
    var lines = [
      "# Each case is read and baked as it is. Add a lut, color-in or stages to a case, or to all of them here:",
      "# defaults: {lut: look.cube, codec: prores}",
      "cases:",
    ]
    for (name, clip) in zip(names, clips) { lines += SuiteDraft.lines(of: clip, name) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The cases' names: what a suite allows of the clips' file names, with a number if two are the same.
  public var names: [String] { names(beside: []) }

  /// Whether a suite can name a clip of this path: its values have no control characters.
  public static func takes(_ path: String) -> Bool {
    path.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  /// Why a suite does not take a clip.
  public static let refusal =
    "the name has a line break, a tab or another control character, which a suite cannot hold; rename the clip"

  /// - Parameter others: names that are taken.
  public func names(beside others: Set<String>) -> [String] {
    var taken = others
    return clips.map { clip in
      let stem = SuiteDraft.name(of: clip.path)
      var name = stem, number = 2
      while !taken.insert(name).inserted {
        let end = "-\(number)"
        name = stem.prefix(SuiteDraft.longestName - end.count) + end
        number += 1
      }
      return name
    }
  }

  /// A case, as written below `cases:`.
  ///
  /// - Parameter indent: blanks before its name.
  public static func lines(of clip: Clip, _ name: String, indent: Int = 2) -> [String] {
    let blanks = String(repeating: " ", count: indent)
    return ["\(blanks)\(name):", "\(blanks)  clip: \(quoted(clip.path))", "\(blanks)  sha256: \(clip.digest)"]
  }

  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last ?? "clip"
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    let letters = stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" }
    let begin = letters.firstIndex { $0.isLetter }
    let name = begin == letters.startIndex ? String(letters) : "clip-" + String(letters.drop { $0 == "-" })
    return String(name.prefix(longestName))
  }

  /// A double-quoted scalar (YAML 1.2.2, 7.3.1).
  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": out += "\\\(scalar)"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{FEFF}"
        || scalar == "\u{2028}" || scalar == "\u{2029}":
        let hex = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
