import CKernels
import Color
import Frames

/// What each code of Y', Cb and Cr adds to red, green and blue, in 2⁻⁴⁸ of a code, so that their sum without its
/// fraction is the rounded value.
///
/// The parts are rational, because the weights of luma have four decimals. So the exact value and a half is a number of
/// d-ths, and unless it is whole, it is 1/d or more below the next whole number. The parts are rounded up, which adds
/// less than 3 · 2⁻⁴⁸. That is below 1/d: the largest d, of green in 10 bits of BT.2020 in limited range, is 2³⁹·⁴.
struct ChannelParts {
  static let count = Int(CK_PARTS.rawValue)

  /// Added to each channel, so that none is negative.
  let below: Int
  private let scale: CodeScale
  /// In ten-thousandths.
  private let red: Int128, green: Int128, blue: Int128

  init(scale: CodeScale, matrix: ColorMatrix) {
    self.scale = scale
    below = 3 << (scale.bitDepth - 1)
    red = Int128((matrix.kr * 10_000).rounded())
    blue = Int128((matrix.kb * 10_000).rounded())
    green = 10_000 - red - blue
  }

  /// Codes from 0 on; each part has room for `CK_MOST_CODES`.
  func fill(_ parts: UnsafeMutableBufferPointer<Int64>) {
    let one = Int128(10_000), codes = 0..<scale.maximum + 1
    let chroma = (offset: scale.chromaOffset, span: Int128(scale.chromaSpan))
    func fill(_ part: ck_part, _ offset: Int, _ numerator: Int128, _ denominator: Int128, isFirst: Bool) {
      for code in codes {
        let value = numerator * Int128(scale.maximum) * Int128(code - offset)
        parts[Int(part.rawValue) * Int(CK_MOST_CODES) + code] = fixed(value, denominator) + (isFirst ? start : 0)
      }
    }
    fill(CK_Y, scale.lumaOffset, 1, Int128(scale.lumaSpan), isFirst: false)
    fill(CK_RED_BY_CR, chroma.offset, 2 * (one - red), one * chroma.span, isFirst: true)
    fill(CK_GREEN_BY_CB, chroma.offset, -2 * blue * (one - blue), one * green * chroma.span, isFirst: true)
    fill(CK_GREEN_BY_CR, chroma.offset, -2 * red * (one - red), one * green * chroma.span, isFirst: false)
    fill(CK_BLUE_BY_CB, chroma.offset, 2 * (one - blue), one * chroma.span, isFirst: true)
  }

  /// `below` codes and a half.
  private var start: Int64 { (2 * Int64(below) + 1) << (Int64(CK_PART_BITS) - 1) }

  /// Rounded up.
  private func fixed(_ numerator: Int128, _ denominator: Int128) -> Int64 {
    let (quotient, rest) = (numerator << Int128(CK_PART_BITS)).quotientAndRemainder(dividingBy: denominator)
    return Int64(rest > 0 ? quotient + 1 : quotient)
  }
}
