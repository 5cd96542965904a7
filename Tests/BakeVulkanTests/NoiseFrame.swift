import Color
import Frames
import Kernels
import TestKit

/// Frames full of noise.
enum NoiseFrame {
  static func take(from pool: FramePool, using random: inout SplitMix) throws -> Frame {
    guard var frame = pool.take() else { throw CamrecError(.defect, "a frame is still out") }
    for plane in 0..<frame.format.planeCount {
      frame.withMutablePlane(plane) { bytes in
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next() >> 11) }
      }
    }
    return frame
  }

  /// What the CPU makes of it.
  static func bake(_ frame: borrowing Frame, by kernel: BakeKernel) throws -> Frame {
    guard var baked = FramePool(format: kernel.output, capacity: 1).take() else {
      throw CamrecError(.defect, "a new pool is empty")
    }
    kernel.bake(frame, into: &baked)
    return baked
  }
}

extension LookupTable {
  /// Every point its own.
  static func noise(size: Int, in range: ClosedRange<Double> = -0.2...1.6, seed: UInt64) -> LookupTable {
    LookupTable(lattice: Lattice(size: size, samples: samples(size * size * size * 3, in: range, seed: seed)))
  }

  static func noiseCurves(size: Int, in range: ClosedRange<Double> = -0.2...1.6, seed: UInt64) -> Curves {
    Curves(size: size, samples: samples(size * 3, in: range, seed: seed))
  }

  private static func samples(_ count: Int, in range: ClosedRange<Double>, seed: UInt64) -> [Float] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in Float(Double.random(in: range, using: &random)) }
  }
}
