/// Finds the word that a misspelling was meant to be.
public enum NearSpelling {
  /// The nearest of `words`; `nil` if none is near enough.
  public static func of(_ word: String, among words: [String]) -> String? {
    let plain = plain(word)
    if let same = words.first(where: { NearSpelling.plain($0) == plain }) { return same }
    // A third of the letters may be wrong; one in a word of two or three.
    let limit = max(1, plain.count / 3)
    let found = words.map { (word: $0, distance: distance(plain, NearSpelling.plain($0))) }
      .min { $0.distance < $1.distance }
    return found.flatMap { $0.distance <= limit ? $0.word : nil }
  }

  /// Lower case, letters and digits only: `--Shutter_Angle` and `shutterAngle` become `shutterangle`.
  private static func plain(_ word: String) -> String { word.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// The number of letters inserted, left out, changed or swapped with their neighbour (Damerau 1964, optimal string
  /// alignment).
  static func distance(_ one: String, _ other: String) -> Int {
    let (a, b) = (Array(one), Array(other))
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let change = a[i - 1] == b[j - 1] ? 0 : 1
        var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + change)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, rows[i - 2][j - 2] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
