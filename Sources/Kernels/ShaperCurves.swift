import CKernels
import Color

/// Curves before a lattice: from their own grid to the lattice's.
struct ShaperCurves {
  /// The most fraction bits that the resulting coordinates can have.
  let fractionBits: Int
  private let rises: [Double]
  private let coordinateError: Double
  let memory: TableMemory<Int32>
  private let pointsPerCurve: Int
  private let latticeSize: Int

  /// - Parameter coordinateError: of the input coordinates, in steps of the curves.
  init(_ curves: LookupTable.Curves, into lattice: LookupTable.Lattice, coordinateError: Double) {
    let size = curves.size
    func position(_ index: Int, _ channel: Int) -> Double {
      let low = lattice.domainMin[channel], high = lattice.domainMax[channel]
      return (curves.sample(min(index, size - 1), channel: channel) - low) / (high - low) * Double(lattice.size - 1)
    }
    var farthest = Double(lattice.size - 1)
    var rises = [0.0, 0.0, 0.0]
    for channel in 0..<3 {
      for index in 0..<size {
        let here = position(index, channel)
        farthest = max(farthest, here.magnitude)
        rises[channel] = max(rises[channel], (position(index + 1, channel) - here).magnitude)
      }
    }
    let bits = FixedPoint.fractionBits(holding: farthest, within: 30, atMost: 24)
    fractionBits = bits
    self.rises = rises
    self.coordinateError = coordinateError
    pointsPerCurve = size + 1
    latticeSize = lattice.size
    memory = TableMemory(count: 3 * pointsPerCurve) { elements in
      for channel in 0..<3 {
        for index in 0...size {
          elements[channel * (size + 1) + index] = Int32((position(index, channel) / FixedPoint.unit(bits)).rounded())
        }
      }
    }
  }

  /// The greatest errors of the resulting coordinates, per axis, in steps of the lattice.
  ///
  /// The points are rounded, their product is rounded down, and a result with fewer bits is rounded again.
  func errors(fractionBits: Int) -> [Double] {
    let rounding = 1.5 * FixedPoint.unit(self.fractionBits)
      + (fractionBits < self.fractionBits ? FixedPoint.unit(fractionBits + 1) : 0)
    return rises.map { $0 * coordinateError + rounding }
  }

  /// - Parameters:
  ///   - inputBits: fraction bits of the input coordinates.
  ///   - fractionBits: of the output coordinates; at most this value's `fractionBits`.
  func operation(inputBits: Int, fractionBits: Int) -> ck_shaper {
    let start = memory.address
    return ck_shaper(
      points: (start, start + pointsPerCurve, start + 2 * pointsPerCurve), fraction_bits: Int32(inputBits),
      drop: Int32(self.fractionBits - fractionBits), max: Int32((latticeSize - 1) << fractionBits))
  }
}
