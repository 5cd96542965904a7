import Color
import Foundation

import Kernels

/// A look on a photograph written down once more, pixel by pixel, in integers of any size.
struct PlainPhoto {
  /// Points of 0…65535, red fastest.
  let table: [SIMD3<Int>]
  let size: Int

  /// As `RGBTable` rounds it.
  init(_ lattice: LookupTable.Lattice) {
    size = lattice.size
    var points: [SIMD3<Int>] = []
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          let value = lattice.sample(red, green, blue)
          points.append(SIMD3(Self.code(value.x), Self.code(value.y), Self.code(value.z)))
        }
      }
    }
    table = points
  }

  private static func code(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 65535).rounded()) }

  /// Tetrahedral interpolation with weights of 15 bits.
  func looked(_ pixel: SIMD3<Int>) -> SIMD3<Int> {
    let places = (0..<3).map { (pixel[$0] * (size - 1) * 32768 * 2 + 65535) / (2 * 65535) }
    let axes = (0..<3).sorted { places[$0] % 32768 > places[$1] % 32768 }, steps = [1, size, size * size]
    var point = places[0] / 32768 + size * (places[1] / 32768) + size * size * (places[2] / 32768)
    let fractions = axes.map { places[$0] % 32768 } + [0]
    var sum = SIMD3<Int>.zero, left = 32768
    for (index, axis) in (axes + [0]).enumerated() {
      let weight = left - fractions[index]
      if weight > 0 { sum = sum &+ table[point] &* SIMD3(repeating: weight) }
      left = fractions[index]
      point += steps[axis]
    }
    return SIMD3((sum.x + 16384) / 32768, (sum.y + 16384) / 32768, (sum.z + 16384) / 32768)
  }
}
