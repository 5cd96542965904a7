package import Assembly
import Color
import Frames

/// A change to a case's bake that may have made the frames of its golden.
package struct BakeCause {
  /// For people, after "the golden matches a bake with".
  package let words: String
  package let change: (inout FilmMaker.Request) -> Void

  /// Related causes: reported one by one, or, if all give the same result, by what they have in common.
  package struct Family {
    package let words: String
    package let causes: [BakeCause]

    /// What to report if these causes apply.
    package func words(of found: [BakeCause]) -> [String] { found.count == causes.count ? [words] : found.map(\.words) }
  }

  /// The usual mistakes: a wrong matrix or range, exchanged chroma, the LUT or look left out or interpolated
  /// differently, or the seed of the grain left out.
  package static func families(for bake: BakeSettings) -> [Family] {
    var families: [Family] = []
    for range in ColorRange.allCases {
      let colors = ["rec709", "rec601", "rec2020"].compactMap { try? ColorName(parsing: "\($0)-\(range.rawValue)") }
      families.append(
        Family(
          words: "\(range.rawValue) range before the bake (color-in)",
          causes: colors.map { color in BakeCause(words: "color-in \(color.written)") { $0.bake.colorIn = color } }))
      families.append(
        Family(
          words: "\(range.rawValue) range after the bake (color-out)",
          causes: colors.map { color in BakeCause(words: "color-out \(color.written)") { $0.bake.colorOut = color } }))
    }
    func add(_ words: String, _ change: @escaping (inout FilmMaker.Request) -> Void) {
      families.append(Family(words: words, causes: [BakeCause(words: words, change: change)]))
    }
    add("Cb and Cr exchanged") { $0.exchangesChroma = true }
    if bake.lut != nil { add("no LUT") { $0.grade = .none } }
    if bake.look != nil { add("no look") { $0.grade = .none } }
    if let seed = bake.grainSeed, seed != Grade.usualSeed {
      add("grain-seed \(Grade.usualSeed)") { $0.grade = $0.grade.seeded(UInt64(Grade.usualSeed)) }
    }
    let hasTable = bake.lut != nil || bake.look != nil
    for interpolation in Interpolation.allCases where interpolation != bake.interpolation && hasTable {
      add("interpolation \(interpolation.rawValue)") { $0.bake.interpolation = interpolation }
    }
    for dither in Dither.allCases where dither != bake.dither {
      add("dither \(dither.rawValue)") { $0.bake.dither = dither }
    }
    return families
  }
}
