import Color
import Frames
import Testing

@Suite struct ReferenceBakeTests {
  /// A table that makes one colour of everything.
  static func constant(_ red: Float, _ green: Float, _ blue: Float) -> LookupTable {
    LookupTable(lattice: .init(size: 2, samples: (0..<8).flatMap { _ in [red, green, blue] }))
  }

  static func pixel(_ luma: Int, _ cb: Int, _ cr: Int) -> PictureSamples {
    PictureSamples(width: 1, height: 1, chroma: .yuv420, luma: [luma], cb: [cb], cr: [cr])
  }

  /// Codes of the 100 % colour bars in BT.709 and BT.601, limited range, and in JFIF (BT.601, full range).
  static let bars: [(ColorMatrix, ColorRange, (Float, Float, Float), (Int, Int, Int))] = [
    (.rec709, .limited, (1, 0, 0), (63, 102, 240)), (.rec709, .limited, (0, 1, 0), (173, 42, 26)),
    (.rec709, .limited, (0, 0, 1), (32, 240, 118)), (.rec709, .limited, (1, 1, 0), (219, 16, 138)),
    (.rec709, .limited, (1, 1, 1), (235, 128, 128)), (.rec601, .limited, (1, 0, 0), (81, 90, 240)),
    (.rec601, .limited, (0, 1, 0), (145, 54, 34)), (.rec601, .limited, (0, 0, 1), (41, 240, 110)),
    (.rec601, .full, (1, 0, 0), (76, 85, 255)), (.rec601, .full, (0, 1, 0), (150, 44, 21)),
    (.rec601, .full, (0, 0, 0), (0, 128, 128)), (.rec709, .limited, (0, 0, 0), (16, 128, 128)),
  ]

  @Test(arguments: bars.indices)
  func colourBarsHaveTheCodesOfTheStandards(index: Int) {
    let (matrix, range, rgb, codes) = Self.bars[index]
    var color = ColorDescription.rec709
    (color.matrix, color.range) = (matrix, range)
    let bake = ReferenceBake(
      input: .init(layout: .nv12, color: .rec709), output: .init(layout: .yuv420p, color: color),
      lut: Self.constant(rgb.0, rgb.1, rgb.2))
    #expect(bake.bake(Self.pixel(100, 90, 200)) == Self.pixel(codes.0, codes.1, codes.2))
  }

  @Test func nothingClampsBehindTheTableButTheCodes() {
    let bake = ReferenceBake(
      input: .init(layout: .nv12, color: .rec709), output: .init(layout: .yuv420p10, color: .rec709),
      lut: Self.constant(1.09, 1.09, 1.09))
    #expect(bake.bake(Self.pixel(0, 128, 128)).luma == [1019])
    let far = ReferenceBake(
      input: bake.input, output: bake.output, lut: Self.constant(-9, 9, 9))
    #expect(far.bake(Self.pixel(0, 128, 128)) == Self.pixel(1023, 1023, 0))
  }

  @Test func blocksAtAnOddEdgeAverageThePixelsThatExist() {
    // 3×3 in 4:2:2, made 4:2:0: a full block, one of 1×2, one of 2×1 and a lone pixel.
    let picture = PictureSamples(
      width: 3, height: 3, chroma: .yuv422, luma: Array(repeating: 100, count: 9), cb: [100, 110, 101, 113, 120, 130],
      cr: [10, 20, 30, 40, 50, 60])
    let bake = ReferenceBake(
      input: .init(layout: .yuyv, color: .rec709), output: .init(layout: .yuv420p, color: .rec709), lut: nil)
    let made = bake.bake(picture)
    #expect(made.luma == picture.luma)
    // 100.5 and 111.5 round up.
    #expect(made.cb == [101, 112, 120, 130])
    #expect(made.cr == [20, 30, 50, 60])
  }

  @Test func aSharedChromaSampleComesBackFromAnIdentity() {
    let corners: [Float] = (0..<8).flatMap { (corner: Int) -> [Float] in
      [Float(corner & 1), Float(corner >> 1 & 1), Float(corner >> 2)]
    }
    let identity = LookupTable(lattice: .init(size: 2, samples: corners))
    let picture = PictureSamples(
      width: 3, height: 2, chroma: .yuv420, luma: [60, 200, 90, 120, 77, 150], cb: [120, 140], cr: [133, 118])
    let bake = ReferenceBake(
      input: .init(layout: .nv12, color: .rec2020), output: .init(layout: .nv21, color: .rec2020), lut: identity)
    #expect(bake.bake(picture) == picture)
  }

  @Test func rangesAndDepthsWithoutATable() {
    var full = ColorDescription.rec709
    full.range = .full
    let toLimited = ReferenceBake(
      input: .init(layout: .yuv420p, color: full), output: .init(layout: .yuv420p, color: .rec709), lut: nil)
    #expect(toLimited.bake(Self.pixel(255, 255, 0)) == Self.pixel(235, 240, 16))
    #expect(toLimited.bake(Self.pixel(0, 128, 128)) == Self.pixel(16, 128, 128))
    let toTen = ReferenceBake(
      input: .init(layout: .yuv420p, color: .rec709), output: .init(layout: .p010, color: .rec709), lut: nil)
    #expect(toTen.bake(Self.pixel(235, 17, 255)) == Self.pixel(940, 68, 1020))
  }
}
