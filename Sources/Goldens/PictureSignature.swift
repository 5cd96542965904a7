/// A short description of what a frame shows: the mean luma of 16 × 16 blocks. It survives an encoder.
public struct PictureSignature: Sendable {
  /// Blocks across, and down.
  static let blocks = 16

  /// Rows of blocks, top to bottom; units of 1/64 of an 8-bit code value of full range.
  let means: [SIMD16<Int16>]
  /// Hash of all luma samples, of this process: frames with equal luma have equal ones, and others have others.
  let digest: Int

  /// - Parameters:
  ///   - luma: `width * height` samples, row after row, the upper 8 bits of each.
  ///   - isFullRange: if false, black is 16 and white 235 (ITU-T H.273, 8.3).
  public init(luma: [UInt8], width: Int, height: Int, isFullRange: Bool) {
    let count = PictureSignature.blocks
    var sums = [[Int]](repeating: [Int](repeating: 0, count: count), count: count)
    func bounds(_ block: Int, _ length: Int) -> Range<Int> { block * length / count..<(block + 1) * length / count }
    precondition(luma.count >= width * height, "one luma sample a pixel")
    let samples = luma.span
    for row in 0..<count {
      for y in bounds(row, height) {
        for column in 0..<count {
          let block = bounds(column, width)
          var sum: UInt32 = 0
          for x in block { sum &+= UInt32(unsafe samples[unchecked: y &* width &+ x]) }
          sums[row][column] += Int(sum)
        }
      }
    }
    let (black, scale) = isFullRange ? (0.0, 64.0) : (16.0, 64 * 255 / 219.0)
    means = sums.indices.map { row in
      SIMD16<Int16>(
        sums[row].indices.map { column in
          let samples = bounds(row, height).count * bounds(column, width).count
          guard samples > 0 else { return 0 }
          return Int16(((Double(sums[row][column]) / Double(samples) - black) * scale).rounded())
        })
    }
    var hasher = Hasher()
    unsafe luma.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    digest = hasher.finalize()
  }

  /// The mean difference of blocks, in 8-bit code values of full range.
  func distance(to other: PictureSignature) -> Float {
    var sum = SIMD16<Int32>.zero
    for (row, otherRow) in zip(means, other.means) {
      let difference = SIMD16<Int32>(truncatingIfNeeded: row) &- SIMD16<Int32>(truncatingIfNeeded: otherRow)
      sum &+= difference.replacing(with: 0 &- difference, where: difference .< 0)
    }
    return PictureSignature.mean(sum)
  }

  /// The sums of the columns of blocks.
  var columns: SIMD16<Int32> {
    means.reduce(into: SIMD16<Int32>.zero) { sum, row in sum &+= SIMD16<Int32>(truncatingIfNeeded: row) }
  }

  /// At most the distance of two frames, from their `columns`: a sixteenth of the work.
  static func leastDistance(_ columns: SIMD16<Int32>, _ others: SIMD16<Int32>) -> Float {
    let difference = columns &- others
    return mean(difference.replacing(with: 0 &- difference, where: difference .< 0))
  }

  private static func mean(_ sums: SIMD16<Int32>) -> Float { Float(sums.wrappedSum()) / Float(64 * blocks * blocks) }
}
