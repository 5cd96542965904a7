public import Frames

/// How the code values of a range and bit depth map to Y' in 0…1 and Cb, Cr in −0.5…0.5.
///
///     code = offset + span · value
///
/// Source: ITU-T H.273 clause 8.3, BT.709-6 item 4 (limited), both with spans scaled by 2ⁿ⁻⁸ above 8 bits.
public struct CodeScale: Hashable, Sendable {
  public let bitDepth: Int
  public let lumaOffset: Int
  public let lumaSpan: Int
  public let chromaOffset: Int
  public let chromaSpan: Int
  /// The greatest code, 2ⁿ − 1; the least is 0 in either range.
  public let maximum: Int

  /// - Parameter bitDepth: 8…16.
  public init(range: ColorRange, bitDepth: Int) {
    precondition((8...16).contains(bitDepth), "a code has 8 to 16 bits")
    self.bitDepth = bitDepth
    let unit = 1 << (bitDepth - 8)
    maximum = (1 << bitDepth) - 1
    chromaOffset = 128 * unit
    switch range {
    case .limited: (lumaOffset, lumaSpan, chromaSpan) = (16 * unit, 219 * unit, 224 * unit)
    case .full: (lumaOffset, lumaSpan, chromaSpan) = (0, maximum, maximum)
    }
  }
}
