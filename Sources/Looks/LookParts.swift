import Color
import Frames
import Platform
import SectionFile

/// What a look file says, before its table is read.
struct LookParts {
  let name: String
  let version: Int
  let title: String
  let derivation: Look.Derivation
  let exposure: Double
  let curve: ToneCurve
  let table: LookReader.Word
  let desaturation: Look.Desaturation
  let grain: Look.Grain

  private static let keys = [
    "camrec-look", "name", "version", "title", "derivation", "exposure", "curve", "table", "desaturation", "grain",
  ]

  /// - Parameter stem: the file's name without `.yaml`, which the look must have.
  init(_ root: PlacedValue, stem: String) throws(FileFinding) {
    try Self.checkFormat(root)
    let file = try LookReader(root, keys: Self.keys)
    name = try Self.name(file.word("name"), stem: stem)
    version = try file.whole("version", in: 1...999_999)
    title = try Self.title(file.word("title"))
    let origin = try file.block("derivation", keys: ["command", "sources"])
    derivation = Look.Derivation(
      command: try origin.word("command").word,
      sources: try origin.list("sources", "texts").map { value throws(FileFinding) in
        try LookReader.word(value, key: "derivation.sources").word
      })
    exposure = try file.number("exposure", in: -10...10, unit: " EV")
    curve = try Self.curve(file)
    table = try Self.table(file.word("table"))
    let desaturating = try file.block("desaturation", keys: ["from", "to", "amount"])
    let from = try desaturating.number("from", in: 0...1), to = try desaturating.number("to", in: 0...1)
    guard from < to else {
      throw FileFinding(
        .error, desaturating.place, key: "desaturation",
        "'from' must be below 'to', not \(from) and \(to); write the luma where it begins, then where it is full")
    }
    desaturation = Look.Desaturation(from: from, to: to, amount: try desaturating.number("amount", in: 0...1))
    let grains = try file.block("grain", keys: ["intensity", "size"])
    grain = Look.Grain(
      intensity: try grains.number("intensity", in: 0...1), size: try Self.grainSize(grains.word("size")))
  }

  /// Before the keys, because a newer format may have others.
  private static func checkFormat(_ root: PlacedValue) throws(FileFinding) {
    guard case .block(let entries) = root.content, let entry = entries.first(where: { $0.key == "camrec-look" }) else {
      throw FileFinding(
        .error, root.place, "this is not a look file, which says 'camrec-look: \(LookFile.format)' at its top")
    }
    let word = try LookReader.word(entry.value, key: entry.key)
    guard let format = Int(word.word), format > 0 else {
      throw FileFinding(
        .error, word.place, key: entry.key, "this must be the version of the format, 1, not '\(word.word)'")
    }
    guard format <= LookFile.format else {
      throw FileFinding(
        .error, word.place, key: entry.key,
        "this look is in format \(format), and this camrec reads only up to \(LookFile.format); use a newer camrec")
    }
  }

  private static func name(_ word: LookReader.Word, stem: String) throws(FileFinding) -> String {
    guard LookName.isValid(word.word) else {
      throw FileFinding(.error, word.place, key: "name", "\(LookName.rule), not '\(word.word)'")
    }
    guard word.word == stem else {
      throw FileFinding(
        .error, word.place, key: "name",
        "the look is called '\(word.word)', and its file '\(stem).yaml'; rename one of them")
    }
    return word.word
  }

  /// A quotation mark would end the title of a .cube file.
  private static func title(_ word: LookReader.Word) throws(FileFinding) -> String {
    guard word.word.count <= 100, !word.word.contains("\"") else {
      throw FileFinding(
        .error, word.place, key: "title", "a title has at most 100 characters and no quotation marks; shorten it")
    }
    return word.word
  }

  private static func curve(_ file: LookReader) throws(FileFinding) -> ToneCurve {
    let values = try file.list("curve", "points"), place = try file.value("curve").place
    let counts = ToneCurve.counts
    guard counts.contains(values.count) else {
      throw FileFinding(
        .error, place, key: "curve",
        "a curve has \(counts.lowerBound) to \(counts.upperBound) points, not \(values.count)")
    }
    var points: [ToneCurve.Point] = []
    for value in values {
      guard case .list(let pair) = value.content, pair.count == 2 else {
        throw FileFinding(
          .error, value.place, key: "curve", "a point has two numbers, as in [0.5, 0.48]; this is \(value.kind)")
      }
      let x = try LookReader.number(pair[0], key: "curve", in: 0...1)
      let y = try LookReader.number(pair[1], key: "curve", in: 0...1)
      if let last = points.last, x <= last.x || y <= last.y {
        throw FileFinding(
          .error, value.place, key: "curve",
          "points must rise in both numbers, and [\(x), \(y)] does not after [\(last.x), \(last.y)]; correct one")
      }
      points.append(ToneCurve.Point(x, y))
    }
    guard let curve = ToneCurve(points) else {
      let wrong = points[0].x == 0 ? values[values.count - 1] : values[0]
      throw FileFinding(
        .error, wrong.place, key: "curve", "the first point's x must be 0 and the last one's 1; add the missing point")
    }
    return curve
  }

  private static func table(_ word: LookReader.Word) throws(FileFinding) -> LookReader.Word {
    guard !word.word.contains("/"), PathText(word.word).kind.lowercased() == "cube" else {
      throw FileFinding(
        .error, word.place, key: "table",
        "this must be the name of a .cube file in the same folder, not '\(word.word)'")
    }
    return word
  }

  private static func grainSize(_ word: LookReader.Word) throws(FileFinding) -> Rational {
    let parts = word.word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let above = parts[0], let below = parts[1], (1...1_000_000).contains(above),
      (1...1_000_000).contains(below), above * 100 <= below, below <= above * 100_000
    else {
      throw FileFinding(
        .error, word.place, key: "grain.size",
        "this must be a fraction of the shorter side from 1/100000 to 1/100, such as 1/3000, not '\(word.word)'")
    }
    return Rational(Int64(above), Int64(below))
  }
}
