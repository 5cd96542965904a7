import CKernels
import Color

/// Curves that lead into a lattice: from their own grid to the lattice's.
struct ShaperCurves {
  /// Of the coordinates that come out.
  let fractionBits: Int
  /// How far those may be from the exact ones, per axis, in steps of the lattice.
  let errors: [Double]
  let memory: TableMemory<Int32>
  private let pointsPerCurve: Int
  private let latticeSize: Int

  /// - Parameter coordinateError: of the coordinates that come in, in steps of the curves.
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
    // The points are rounded, then the product is rounded down.
    errors = rises.map { $0 * coordinateError + 1.5 * FixedPoint.unit(bits) }
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

  /// - Parameters:
  ///   - inputBits: fraction bits of the coordinates that come in.
  ///   - roundingBits: bits of the fraction that the next stage keeps.
  func operation(inputBits: Int, roundingTo roundingBits: Int? = nil) -> ck_shaper {
    let start = memory.address
    return ck_shaper(
      points: (start, start + pointsPerCurve, start + 2 * pointsPerCurve), fraction_bits: Int32(inputBits),
      add: roundingBits.map { 1 << Int32(fractionBits - $0 - 1) } ?? 0,
      max: Int32((latticeSize - 1) << fractionBits))
  }
}
