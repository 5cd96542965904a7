import Color
import Frames
import Testing

@Suite struct BlockColorsTests {
  // MARK: Against a plain computation

  @Test(arguments: PixelLayout.allCases, ColorRange.allCases)
  func `every layout and range gives what a plain computation gives`(layout: PixelLayout, range: ColorRange) {
    for (width, height) in [(21, 13), (1, 1), (8, 8), (9, 17), (40, 3)] {
      for matrix in ColorMatrix.allCases {
        let color = ColorDescription(matrix: matrix, range: range, transfer: .rec709, primaries: .rec2020)
        let picture = PictureSamples.random(width, height, layout)
        let blocks = Self.blocks(picture, layout, color)
        #expect(blocks.width == width && blocks.height == height)
        #expect(blocks.columns == (width + 7) / 8 && blocks.rows == (height + 7) / 8)
        let isSame = Self.isNear(blocks.colors, Self.plain(picture, layout, color))
        #expect(isSame, "\(width)×\(height), \(matrix)")
      }
    }
  }

  @Test(arguments: TransferCharacteristic.allCases, ColorPrimaries.allCases)
  func `every curve and gamut gives what a plain computation gives`(
    transfer: TransferCharacteristic, primaries: ColorPrimaries
  ) {
    let color = ColorDescription(matrix: .rec2020, range: .limited, transfer: transfer, primaries: primaries)
    let picture = PictureSamples.random(21, 13, .p010)
    let isSame = Self.isNear(Self.blocks(picture, .p010, color).colors, Self.plain(picture, .p010, color))
    #expect(isSame)
  }

  @Test func `what nobody specified is Rec. 709`() {
    let picture = PictureSamples.random(21, 13, .nv12)
    let known = Self.blocks(picture, .nv12, .rec709)
    for transfer in [TransferCharacteristic.unspecified, .pq, .hlg] {
      let color = ColorDescription(matrix: .rec709, range: .limited, transfer: transfer, primaries: .unspecified)
      #expect(Self.blocks(picture, .nv12, color) == known)
    }
    let other = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .rec2020)
    #expect(Self.blocks(picture, .nv12, other) != known)
  }

  // MARK: Known colours

  @Test(arguments: PixelLayout.allCases, ColorRange.allCases) func `greys are neutral and white has lightness 100`(
    layout: PixelLayout, range: ColorRange
  ) {
    let scale = CodeScale(range: range, bitDepth: layout.bitDepth)
    let color = ColorDescription(matrix: .rec709, range: range, transfer: .rec709, primaries: .rec709)
    var last = -1.0
    for share in 0...8 {
      let code = scale.lumaOffset + scale.lumaSpan * share / 8
      let picture = PictureSamples.flat(16, 16, layout, [code, scale.chromaOffset, scale.chromaOffset])
      let colors = Self.blocks(picture, layout, color).colors
      #expect(colors.count == 4)
      for grey in colors { #expect(abs(grey.a) < 1e-9 && abs(grey.b) < 1e-9 && grey == colors[0]) }
      #expect(colors[0].lightness > last)
      last = colors[0].lightness
      if share == 0 { #expect(abs(last) < 1e-9) }
    }
    #expect(abs(last - 100) < 1e-9)
  }

  @Test(arguments: [PixelLayout.nv21, .yv12, .yuyv, .uyvy, .yuv422p])
  func `colour bars have the colours of the primaries`(layout: PixelLayout) {
    // The codes of BT.709's 100 % bars; rounding to 8 bits makes up to ΔE00 0.17.
    let bars: [([Int], SIMD3<Double>)] = [
      ([63, 102, 240], [1, 0, 0]), ([173, 42, 26], [0, 1, 0]), ([32, 240, 118], [0, 0, 1]),
    ]
    for (codes, rgb) in bars {
      let colors = Self.blocks(PictureSamples.flat(8, 8, layout, codes), layout, .rec709).colors
      let difference = ColorDifference.ciede2000(colors[0], LabColor(linear: rgb, in: .rec709))
      #expect(difference < 0.17, "\(rgb)")
    }
  }

  // MARK: Differences

  @Test func `equal frames do not differ, also in layouts that differ`() throws {
    let picture = PictureSamples.random(21, 13, .nv12)
    let blocks = Self.blocks(picture, .nv12, .rec709)
    for layout in [PixelLayout.nv12, .nv21, .yuv420p, .yv12] {
      let differences = try #require(blocks.differences(to: Self.blocks(picture, layout, .rec709)))
      #expect(differences.mean == 0 && differences.largest == 0)
    }
  }

  @Test(arguments: [0, 7, 14], [PixelLayout.nv12, .uyvy, .y210]) func `one block that changed is found`(
    changed: Int, layout: PixelLayout
  ) throws {
    // 5×3 blocks, the last column and row of which are smaller.
    var picture = PictureSamples.random(37, 21, layout)
    let before = Self.blocks(picture, layout, .rec709)
    for index in picture.luma.indices where index % 37 / 8 + index / 37 / 8 * 5 == changed { picture.luma[index] /= 2 }
    let after = Self.blocks(picture, layout, .rec709)
    let differences = try #require(before.differences(to: after))
    #expect(differences.block == changed)
    let expected = ColorDifference.ciede2000(before.colors[changed], after.colors[changed])
    #expect(differences.largest == expected && expected > 1)
    #expect(abs(differences.mean - expected / 15) < 1e-12)
  }

  @Test func `the first of the largest differences is named, and small ones count in the mean`() throws {
    let before = PictureSamples.flat(24, 8, .nv12, [100, 128, 128])
    var after = before
    for index in after.luma.indices { after.luma[index] += index % 24 < 8 ? 5 : 40 }
    let (first, second) = (Self.blocks(before, .nv12, .rec709), Self.blocks(after, .nv12, .rec709))
    let differences = try #require(first.differences(to: second))
    #expect(differences.block == 1)
    let small = ColorDifference.ciede2000(first.colors[0], second.colors[0])
    #expect(small > 0 && small < differences.largest)
    #expect(abs(differences.mean - (small + 2 * differences.largest) / 3) < 1e-12)
  }

  @Test func `pictures of different sizes are not compared`() {
    let blocks = Self.blocks(PictureSamples.random(17, 16, .nv12), .nv12, .rec709)
    for (width, height) in [(16, 16), (18, 16), (17, 15), (16, 17)] {
      let other = Self.blocks(PictureSamples.random(width, height, .nv12), .nv12, .rec709)
      #expect(blocks.differences(to: other) == nil)
      #expect(other.differences(to: blocks) == nil)
    }
  }

  // MARK: Pictures

  /// The block colours of a frame that holds the picture.
  static func blocks(_ picture: PictureSamples, _ layout: PixelLayout, _ color: ColorDescription) -> BlockColors {
    let frame = picture.frame(layout, color)
    return BlockColors(frame)
  }

  // MARK: The plain computation

  static func plain(_ picture: PictureSamples, _ layout: PixelLayout, _ color: ColorDescription) -> [LabColor] {
    let shared = layout.chroma
    var colors: [LabColor] = []
    for top in stride(from: 0, to: picture.height, by: 8) {
      for left in stride(from: 0, to: picture.width, by: 8) {
        var luma: [Int] = []
        var cb: [Int] = []
        var cr: [Int] = []
        for y in top..<min(top + 8, picture.height) {
          for x in left..<min(left + 8, picture.width) {
            luma.append(picture.luma[y * picture.width + x])
            guard x % shared.across == 0, y % shared.down == 0 else { continue }
            cb.append(picture.cb[picture.block(x: x, y: y)])
            cr.append(picture.cr[picture.block(x: x, y: y)])
          }
        }
        colors.append(plain(mean(luma), mean(cb), mean(cr), layout.bitDepth, color))
      }
    }
    return colors
  }

  /// The colour of three mean codes.
  private static func plain(_ luma: Double, _ cb: Double, _ cr: Double, _ bitDepth: Int, _ color: ColorDescription)
    -> LabColor
  {
    let unit = bitDepth == 8 ? 1.0 : 4.0
    let full = bitDepth == 8 ? 255.0 : 1023.0
    let isFull = color.range == .full
    let rgb = color.matrix.rgb(
      luma: isFull ? luma / full : (luma - 16 * unit) / (219 * unit),
      cb: (cb - 128 * unit) / (isFull ? full : 224 * unit), cr: (cr - 128 * unit) / (isFull ? full : 224 * unit))
    let transfer = TransferFunction(color.transfer) ?? TransferFunction(.rec709)!
    return LabColor(linear: transfer.decode(rgb), in: RGBSpace(color.primaries) ?? .rec709)
  }

  private static func mean(_ codes: [Int]) -> Double { Double(codes.reduce(0, +)) / Double(codes.count) }

  /// To nine digits: a log curve makes very large numbers of a random code.
  private static func isNear(_ colors: [LabColor], _ others: [LabColor]) -> Bool {
    func isNear(_ value: Double, _ other: Double) -> Bool { abs(value - other) <= 1e-9 * max(1, abs(other)) }
    return colors.count == others.count
      && zip(colors, others).allSatisfy {
        isNear($0.lightness, $1.lightness) && isNear($0.a, $1.a) && isNear($0.b, $1.b)
      }
  }
}
