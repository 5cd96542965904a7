import Color
import Frames

/// One thing that, were it otherwise in a case's bake, may have made the pictures of its golden.
struct BakeCause {
  /// For a person, behind "the golden's pictures are those".
  let words: String
  let change: (inout FilmMaker.Request) -> Void

  /// What mistakes come down to: matrix and range taken for others, chroma for one another, the LUT left out or read otherwise.
  static func candidates(for bake: BakeOptions) -> [BakeCause] {
    var causes: [BakeCause] = []
    for name in ["rec709", "rec601", "rec2020"].flatMap({ ["\($0)-limited", "\($0)-full"] }) {
      guard let color = try? ColorName(parsing: name) else { continue }
      causes.append(BakeCause(words: "of color-in \(name)") { $0.bake.colorIn = color })
      causes.append(BakeCause(words: "of color-out \(name)") { $0.bake.colorOut = color })
    }
    causes.append(BakeCause(words: "with Cb and Cr exchanged") { $0.exchangesChroma = true })
    if bake.lut != nil { causes.append(BakeCause(words: "without the LUT") { $0.lut = nil }) }
    for interpolation in Interpolation.allCases where interpolation != bake.interpolation && bake.lut != nil {
      causes.append(
        BakeCause(words: "of interpolation \(interpolation.rawValue)") { $0.bake.interpolation = interpolation })
    }
    for dither in Dither.allCases where dither != bake.dither {
      causes.append(BakeCause(words: "of dither \(dither.rawValue)") { $0.bake.dither = dither })
    }
    return causes
  }
}
