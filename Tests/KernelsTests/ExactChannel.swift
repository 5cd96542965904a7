import Color
import Frames

/// Red, green or blue of a colour as an exact fraction, from the weights as the standards write them.
struct ExactChannel {
  enum Name: CaseIterable { case red, green, blue }

  /// The value and a half in codes of full range, in 1/`denominator`: what a step of Y', Cb and Cr adds, and what it is
  /// for codes of 0.
  let luma: Int, cb: Int, cr: Int, start: Int
  let denominator: Int

  init(_ name: Name, _ matrix: ColorMatrix, _ scale: CodeScale) {
    let (red, blue) =
      switch matrix {
      case .rec601: (2990, 1140)
      case .rec709: (2126, 722)
      case .rec2020: (2627, 593)
      }
    let green = 10_000 - red - blue, maximum = scale.maximum
    // In 1/(10 000 · green · spans).
    let whole = 10_000 * green * scale.lumaSpan * scale.chromaSpan, unit = maximum * scale.lumaSpan
    let luma = maximum * 10_000 * green * scale.chromaSpan
    let (cb, cr) =
      switch name {
      case .red: (0, 2 * (10_000 - red) * green * unit)
      case .green: (-2 * blue * (10_000 - blue) * unit, -2 * red * (10_000 - red) * unit)
      case .blue: (2 * (10_000 - blue) * green * unit, 0)
      }
    let start = whole / 2 - luma * scale.lumaOffset - (cb + cr) * scale.chromaOffset
    let divisor = [luma, cb, cr, start].reduce(whole) { Self.greatestDivisor($0, $1) }
    (self.luma, self.cb, self.cr, self.start) = (luma / divisor, cb / divisor, cr / divisor, start / divisor)
    denominator = whole / divisor
  }

  private static func greatestDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (abs(a), abs(b))
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }

  /// In 1/`denominator`.
  func sum(luma: Int, cb: Int, cr: Int) -> Int { start + luma * self.luma + cb * self.cb + cr * self.cr }

  /// Rounded, not held within 0 and the greatest code.
  func value(luma: Int, cb: Int, cr: Int) -> Int {
    let (quotient, rest) = sum(luma: luma, cb: cb, cr: cr).quotientAndRemainder(dividingBy: denominator)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// The colours (Y', Cb, Cr) of 10 bits whose green comes closest to a half, from below and from above: the closest of
  /// 2³⁰, found by trying them all. In limited range of BT.709, 2.3 · 10⁻¹⁰ of a code are missing.
  static let nearMisses: [(ColorMatrix, ColorRange, [(Int, Int, Int)])] = [
    (.rec601, .limited, [(335, 778, 542), (85, 246, 482)]), (.rec709, .limited, [(83, 966, 94), (337, 58, 930)]),
    (.rec2020, .limited, [(35, 174, 14), (677, 850, 1010)]), (.rec601, .full, [(0, 36, 357), (381, 688, 967)]),
    (.rec709, .full, [(102, 308, 819), (0, 716, 205)]), (.rec2020, .full, [(0, 811, 341), (44, 213, 683)]),
  ]
}
