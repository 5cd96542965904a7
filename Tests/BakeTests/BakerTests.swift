import Bake
import Color
import Frames
import Kernels
import TestKit
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

  static let nv12 = FrameFormat(width: 67, height: 35, layout: .nv12, color: .rec709)

  static func baker(
    _ input: FrameFormat = nv12, to layout: PixelLayout = .yuv420p, _ color: ColorDescription = .rec709,
    lut: LookupTable? = lut, grain: GrainKernel.Settings? = nil, workers: Int = 1, frames: Int = 1
  ) throws -> Baker {
    try Baker(
      input: input, outputLayout: layout, outputColor: color, lut: lut, interpolation: .tetrahedral, grain: grain,
      workers: workers, frames: frames)
  }

  /// A frame full of noise.
  static func frame(_ pool: FramePool, seed: UInt32 = 1) throws -> Frame {
    guard var frame = pool.take() else { throw CamrecError(.defect, "the frame of before is still out") }
    for plane in 0..<frame.format.planeCount {
      frame.withMutablePlane(plane) { bytes in
        var state = seed &+ UInt32(plane)
        for index in bytes.indices {
          state = state &* 1_664_525 &+ 1_013_904_223
          bytes[index] = UInt8(truncatingIfNeeded: state >> 24)
        }
      }
    }
    return frame
  }

  static let grain = GrainKernel.Settings(intensity: 0.2, size: Rational(1, 40), seed: 3)

  @Test(arguments: [(640, 360), (67, 35), (1, 1), (322, 241)], [nil, grain])
  func anyNumberOfWorkersGivesTheSameBits(size: (width: Int, height: Int), grain: GrainKernel.Settings?) throws {
    let (width, height) = size
    let format = FrameFormat(width: width, height: height, layout: .nv12, color: .rec709)
    let pool = FramePool(format: format, capacity: 1)
    for layout in [PixelLayout.yuv420p, .yuv422p10] {
      let alone = try Self.baker(format, to: layout, grain: grain)
      for workers in [2, 3, 8] {
        let shared = try Self.baker(format, to: layout, grain: grain, workers: workers)
        for seed in 1...4 as ClosedRange<UInt32> {
          let number = Int64(seed)
          let expected = FrameRows.of(try alone.bake(try Self.frame(pool, seed: seed), number: number))
          let baked = FrameRows.of(try shared.bake(try Self.frame(pool, seed: seed), number: number))
          #expect(baked == expected, "\(workers) workers, \(layout)")
        }
      }
    }
  }

  /// It is the grain kernel's, on what the bake alone gives, and another one for each number.
  @Test func grainComesAfterTheBake() throws {
    let pool = FramePool(format: Self.nv12, capacity: 1)
    let plain = try Self.baker(), grained = try Self.baker(grain: Self.grain, workers: 2)
    func expected(_ number: Int64) throws -> [[UInt8]] {
      var frame = try plain.bake(try Self.frame(pool))
      try GrainKernel(Self.grain, format: plain.outputFormat).add(to: &frame, number: number)
      return FrameRows.of(frame)
    }
    for number in [0, 1, 7, 1 << 40] as [Int64] {
      #expect(FrameRows.of(try grained.bake(try Self.frame(pool), number: number)) == (try expected(number)))
    }
    #expect(try expected(0) != expected(1))
  }

  /// The source's own memory stays as it is.
  @Test func withGrainNothingPassesThrough() throws {
    let pool = FramePool(format: Self.nv12, capacity: 1)
    let frame = try Self.frame(pool), before = FrameRows.of(frame), storage = ObjectIdentifier(frame.storage)
    let baked = try Self.baker(to: .nv12, lut: nil, grain: Self.grain).bake(frame)
    #expect(ObjectIdentifier(baked.storage) != storage && FrameRows.of(baked) != before)
    #expect(FrameRows.of(try Self.frame(pool)) == before)
  }

  @Test func bakedFramesHaveTheOutputsFormat_andTheInputGoesBack() throws {
    let pool = FramePool(format: Self.nv12, capacity: 1)
    let baker = try Self.baker(to: .yuv422p10, .rec2020)
    let baked = try baker.bake(try Self.frame(pool))
    #expect(baked.format == baker.outputFormat)
    #expect(baked.format.layout == .yuv422p10)
    #expect(baked.format.color == .rec2020)
    #expect((baked.format.width, baked.format.height) == (67, 35))
    #expect(pool.available == 1)
  }

  @Test func whatChangesOnlyTheDescriptionPassesTheFrameItselfThrough() throws {
    let pool = FramePool(format: Self.nv12, capacity: 1)
    let frame = try Self.frame(pool)
    let storage = ObjectIdentifier(frame.storage), before = FrameRows.of(frame)
    var color = ColorDescription.rec709
    color.transfer = .appleLog
    let baker = try Self.baker(to: .nv12, color, lut: nil, workers: 3)
    let baked = try baker.bake(frame)
    #expect(ObjectIdentifier(baked.storage) == storage)
    #expect(baked.format.color == color)
    #expect(baked.format == baker.outputFormat)
    #expect(FrameRows.of(baked) == before)
    #expect(pool.available == 0)
  }

  @Test(arguments: [ColorDescription.rec601, .rec2020])
  func anotherMatrixOrRangeIsNotPassedThrough(color: ColorDescription) throws {
    let pool = FramePool(format: Self.nv12, capacity: 1)
    var full = ColorDescription.rec709
    full.range = .full
    for target in [color, full] {
      let frame = try Self.frame(pool)
      let before = FrameRows.of(frame)
      let baked = try Self.baker(to: .nv12, target, lut: nil).bake(frame)
      #expect(FrameRows.of(baked) != before)
    }
  }

  @Test func moreFramesOutThanSaidIsADefect_andTheInputGoesBack() throws {
    let pool = FramePool(format: Self.nv12, capacity: 1)
    let baker = try Self.baker(frames: 2)
    let first = try baker.bake(try Self.frame(pool)), second = try baker.bake(try Self.frame(pool))
    let error = #expect(throws: CamrecError.self) { _ = try baker.bake(try Self.frame(pool)) }
    #expect(error?.code == .defect)
    #expect(error?.message == "all 2 frames of the bake are in use; a consumer keeps too many")
    #expect(pool.available == 1)
    #expect(FrameRows.of(first) == FrameRows.of(second))
  }

  @Test func framesThatAreStillOutOutliveTheBaker() throws {
    let pool = FramePool(format: Self.nv12, capacity: 1)
    func bake() throws -> Frame { try Self.baker(workers: 3).bake(try Self.frame(pool)) }
    let kept = try bake()
    let again = try Self.baker().bake(try Self.frame(pool))
    #expect(FrameRows.of(kept) == FrameRows.of(again))
  }
}
