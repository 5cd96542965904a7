import Color
import Frames

/// One thing that, were it otherwise in a case's bake, may have made the pictures of its golden.
struct BakeCause {
  /// For a person, behind "the golden's pictures are those".
  let words: String
  let change: (inout FilmMaker.Request) -> Void

  /// Causes of which one is to be named, or, where all come to the same, what they have in common.
  struct Family {
    let words: String
    let causes: [BakeCause]

    /// What is named where these do.
    func words(of found: [BakeCause]) -> [String] { found.count == causes.count ? [words] : found.map(\.words) }
  }

  /// What mistakes come down to: matrix and range taken for others, chroma for one another, the LUT left out or read
  /// otherwise.
  static func families(for bake: BakeOptions) -> [Family] {
    var families: [Family] = []
    for range in ColorRange.allCases {
      let colors = ["rec709", "rec601", "rec2020"].compactMap { try? ColorName(parsing: "\($0)-\(range.rawValue)") }
      families.append(
        Family(
          words: "of \(range.rawValue) range in front of the bake (color-in)",
          causes: colors.map { color in BakeCause(words: "of color-in \(color.text)") { $0.bake.colorIn = color } }))
      families.append(
        Family(
          words: "of \(range.rawValue) range behind the bake (color-out)",
          causes: colors.map { color in BakeCause(words: "of color-out \(color.text)") { $0.bake.colorOut = color } }))
    }
    func add(_ words: String, _ change: @escaping (inout FilmMaker.Request) -> Void) {
      families.append(Family(words: words, causes: [BakeCause(words: words, change: change)]))
    }
    add("with Cb and Cr exchanged") { $0.exchangesChroma = true }
    if bake.lut != nil { add("without the LUT") { $0.lut = nil } }
    for interpolation in Interpolation.allCases where interpolation != bake.interpolation && bake.lut != nil {
      add("of interpolation \(interpolation.rawValue)") { $0.bake.interpolation = interpolation }
    }
    for dither in Dither.allCases where dither != bake.dither {
      add("of dither \(dither.rawValue)") { $0.bake.dither = dither }
    }
    return families
  }
}

extension ColorName { fileprivate var text: String { name + (range.map { "-\($0.rawValue)" } ?? "") } }
