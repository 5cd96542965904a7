import Bake
import Color
import Frames
import Testing

@Suite struct BakerTests {
  /// A cube that leaves no code as it was.
  static let lut = LookupTable(
    lattice: .init(
      size: 9,
      samples: (0..<9 * 9 * 9).flatMap { index -> [Float] in
        let red = Float(index % 9) / 8, green = Float(index / 9 % 9) / 8, blue = Float(index / 81) / 8
        return [1.2 * red - 0.1 * green, green * green, 0.9 * blue + 0.2 * red * green]
      }))

  /// A pool of one frame with samples that any bake has to move.
  static func pool(_ format: FrameFormat) -> FramePool { FramePool(format: format, capacity: 1) }

  static func frame(_ pool: FramePool, seed: UInt8 = 1) throws -> Frame {
    guard var frame = pool.take() else { throw CamrecError(.defect, "the frame of before is still out") }
    for plane in 0..<frame.format.planeCount {
      frame.withMutablePlane(plane) { bytes in
        var state = UInt32(seed) &+ UInt32(plane)
        for index in bytes.indices {
          state = state &* 1_664_525 &+ 1_013_904_223
          bytes[index] = UInt8(truncatingIfNeeded: state >> 24)
        }
      }
    }
    return frame
  }

  static func rows(_ frame: borrowing Frame) -> [[UInt8]] {
    let format = frame.format
    return (0..<format.planeCount).flatMap { plane in
      frame.withPlane(plane) { bytes in
        (0..<format.layout.rows(plane: plane, height: format.height)).map { row in
          let start = row * format.stride(plane: plane)
          return Array(bytes[start..<start + format.layout.rowBytes(plane: plane, width: format.width)])
        }
      }
    }
  }

  @Test(arguments: [(640, 360), (67, 35), (1, 1), (322, 241)])
  func anyNumberOfWorkersGivesTheSameBits(width: Int, height: Int) throws {
    let format = FrameFormat(width: width, height: height, layout: .nv12, color: .rec709)
    let pool = Self.pool(format)
    var results: [[[UInt8]]] = []
    for workers in [1, 2, 3, 8] {
      let baker = try Baker(
        input: format, outputLayout: .yuv420p, outputColor: .rec709, lut: Self.lut, interpolation: .tetrahedral,
        workers: workers, frames: 1)
      for _ in 0..<3 { results.append(Self.rows(try baker.bake(try Self.frame(pool)))) }
    }
    #expect(results.allSatisfy { $0 == results[0] })
    #expect(pool.available == 1)
  }
}
