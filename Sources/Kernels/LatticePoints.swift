import CKernels
import Color

/// A lattice in output codes, measured before it is converted to integers.
struct LatticePoints {
  let lattice: LookupTable.Lattice
  let point: OutputPoint
  /// The greatest absolute value of Y', Cb, Cr, in codes.
  let magnitude: SIMD3<Double>
  /// The greatest difference between neighbours along the red, green and blue axis, per component, in codes.
  let steps: [SIMD3<Double>]

  init(lattice: LookupTable.Lattice, point: OutputPoint) {
    self.lattice = lattice
    self.point = point
    let size = lattice.size
    var magnitude = SIMD3<Double>.zero
    var red = SIMD3<Double>.zero, green = SIMD3<Double>.zero, blue = SIMD3<Double>.zero
    var plane = Array(repeating: SIMD3<Double>.zero, count: size * size)
    plane.withUnsafeMutableBufferPointer { plane in
      for b in 0..<size {
        for g in 0..<size {
          for r in 0..<size {
            let value = point(lattice.sample(r, g, b))
            magnitude = pointwiseMax(magnitude, value.magnitudes)
            if r > 0 { red = pointwiseMax(red, (value - plane[r - 1 + size * g]).magnitudes) }
            if g > 0 { green = pointwiseMax(green, (value - plane[r + size * (g - 1)]).magnitudes) }
            if b > 0 { blue = pointwiseMax(blue, (value - plane[r + size * g]).magnitudes) }
            plane[r + size * g] = value
          }
        }
      }
    }
    self.magnitude = magnitude
    steps = [red, green, blue]
  }

  /// The points with `fractionBits`, four integers each, and a margin that is only used with weight 0.
  func memory<Element>(of: Element.Type, fractionBits: Int) -> TableMemory<Element> {
    let size = lattice.size
    let scale = 1 / FixedPoint.unit(fractionBits)
    return TableMemory(count: 4 * (size * size * size + size * size + size + 1)) { elements in
      var at = 0
      for b in 0..<size {
        for g in 0..<size {
          for r in 0..<size {
            let value = (point(lattice.sample(r, g, b)) * scale).rounded(.toNearestOrAwayFromZero)
            for component in 0..<3 { elements[at + component] = Element(value[component]) }
            at += 4
          }
        }
      }
    }
  }

  /// The greatest error of an interpolated value, in codes, in addition to the rounding of the points.
  ///
  /// The interpolant is continuous, and within a cell no steeper along an axis than that axis's greatest step. So an
  /// error of ε in a coordinate moves it by at most ε · step. Tetrahedral weights are differences of fractions, and
  /// exact. Trilinear weights are products, which are rounded once for red × green (moving the value by at most a red
  /// and a green step times the rounding), and once more for each of the four products with blue.
  ///
  /// - Parameters:
  ///   - coordinates: the error of the coordinates per axis, in grid steps.
  ///   - weight: the rounding error of one weight.
  func error(coordinates: [Double], weight: Double, interpolation: Interpolation) -> Double {
    let products = interpolation == .trilinear ? [weight, weight, 4 * weight] : [0, 0, 0]
    return (0..<3).reduce(SIMD3<Double>.zero) { $0 + steps[$1] * (coordinates[$1] + products[$1]) }.max()
  }
}

extension SIMD3<Double> {
  /// Absolute values.
  var magnitudes: SIMD3<Double> { self.replacing(with: -self, where: self .< 0) }
}
