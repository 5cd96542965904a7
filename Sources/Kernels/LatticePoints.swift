import CKernels
import Color

/// A lattice in output codes, measured before it is put into integers.
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

  /// The points with `fractionBits` after the point, four integers each, and the margin that weight 0 falls on.
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

  /// How far an interpolated value may be from the exact one, in codes, beside the rounding of the points.
  ///
  /// The interpolant is continuous and within a cell no steeper along an axis than that axis' greatest step, so a
  /// coordinate that is off by ε moves it by at most ε · step. Tetrahedral weights are differences of fractions, and
  /// exact; trilinear ones are products that are rounded once for red × green (which moves the value by at most a red
  /// and a green step times the rounding) and once more for each of the four times blue.
  ///
  /// - Parameters:
  ///   - coordinates: error of the coordinates per axis, in grid steps.
  ///   - weight: the rounding of one weight.
  func error(coordinates: [Double], weight: Double, interpolation: Interpolation) -> Double {
    let products = interpolation == .trilinear ? [weight, weight, 4 * weight] : [0, 0, 0]
    return (0..<3).reduce(SIMD3<Double>.zero) { $0 + steps[$1] * (coordinates[$1] + products[$1]) }.max()
  }
}

extension SIMD3<Double> {
  /// Absolute values.
  var magnitudes: SIMD3<Double> { self.replacing(with: -self, where: self .< 0) }
}
