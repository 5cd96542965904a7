import CKernels
import Color

/// Curves without a lattice, in output codes: a point of each channel holds its part of Y', Cb and Cr.
struct CurvePoints {
  let curves: LookupTable.Curves
  let point: OutputPoint
  /// The greatest absolute value of a sum of three parts, in codes.
  let magnitude: SIMD3<Double>
  /// The greatest difference between neighbours, summed over the channels, in codes.
  let steps: SIMD3<Double>

  init(curves: LookupTable.Curves, point: OutputPoint) {
    self.curves = curves
    self.point = point
    var magnitude = SIMD3<Double>.zero, steps = SIMD3<Double>.zero
    for channel in 0..<3 {
      var greatest = SIMD3<Double>.zero, steepest = SIMD3<Double>.zero
      var last = point.part(curves.sample(0, channel: channel), channel: channel)
      for index in 0..<curves.size {
        let value = point.part(curves.sample(index, channel: channel), channel: channel)
        greatest = pointwiseMax(greatest, value.magnitudes)
        steepest = pointwiseMax(steepest, (value - last).magnitudes)
        last = value
      }
      magnitude += greatest
      steps += steepest
    }
    self.magnitude = magnitude
    self.steps = steps
  }

  func memory(fractionBits: Int) -> TableMemory<Int32> {
    let size = curves.size, scale = 1 / FixedPoint.unit(fractionBits)
    return TableMemory(count: 3 * 4 * (size + 1)) { elements in
      for channel in 0..<3 {
        for index in 0..<size {
          let value = point.part(curves.sample(index, channel: channel), channel: channel) * scale
          for component in 0..<3 {
            elements[4 * (channel * (size + 1) + index) + component] = Int32(value[component].rounded())
          }
        }
      }
    }
  }
}
