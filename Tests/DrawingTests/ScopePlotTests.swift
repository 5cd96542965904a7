import Color
import Drawing
import Frames
import Testing

@Suite struct ScopePlotTests {
  private func flat(_ width: Int, _ height: Int, _ layout: PixelLayout, _ codes: [Int]) -> PictureSamples {
    let chroma = layout.chroma.samples(width: width) * layout.chroma.rows(height: height)
    return PictureSamples(
      width: width, height: height, chroma: layout.chroma, luma: Array(repeating: codes[0], count: width * height),
      cb: Array(repeating: codes[1], count: chroma), cr: Array(repeating: codes[2], count: chroma))
  }

  private func grey(_ width: Int, _ height: Int, _ layout: PixelLayout, _ code: Int) -> PictureSamples {
    flat(width, height, layout, [code, 128 << (layout.bitDepth - 8), 128 << (layout.bitDepth - 8)])
  }

  private func pixel(_ picture: Picture, _ x: Int, _ y: Int) -> SIMD3<Int> {
    let at = 3 * (y * picture.width + x)
    return SIMD3(Int(picture.bytes[at]), Int(picture.bytes[at + 1]), Int(picture.bytes[at + 2]))
  }

  private func isNear(_ color: SIMD3<Int>, _ other: SIMD3<Int>, _ distance: Int) -> Bool {
    (0..<3).allSatisfy { abs(color[$0] - other[$0]) <= distance }
  }

  // MARK: Scopes

  /// The trace at any brightness; nothing else on a scope has its hue.
  private func isTrace(_ color: SIMD3<Int>) -> Bool {
    color.y > 70 && abs(2 * color.x - color.y) <= 4 && abs(3 * color.z - 2 * color.y) <= 6
  }

  private func places(_ picture: Picture, _ isWanted: (SIMD3<Int>) -> Bool) -> Set<SIMD2<Int>> {
    var places: Set<SIMD2<Int>> = []
    for y in 0..<picture.height {
      for x in 0..<picture.width where isWanted(pixel(picture, x, y)) { places.insert(SIMD2(x, y)) }
    }
    return places
  }

  /// 110 % is at the top of 160 rows, −10 % at the bottom.
  @Test(arguments: [PixelLayout.nv12, .yuyv, .p010, .yuv422p10], ColorRange.allCases)
  func `a flat grey is a line over all columns`(layout: PixelLayout, range: ColorRange) {
    let scale = CodeScale(range: range, bitDepth: layout.bitDepth)
    for (share, row) in [(0.0, 146), (0.5, 80), (1.0, 13)] {
      let code = scale.lumaOffset + Int(Double(scale.lumaSpan) * share)
      for (width, height) in [(256, 3), (300, 7), (1921, 2)] {
        let picture = ScopePlot.waveform(grey(width, height, layout, code), layout: layout, range: range)
        #expect(picture.width == 256 && picture.height == 160)
        let isLine = places(picture, isTrace) == Set((0..<256).map { SIMD2($0, row) })
        #expect(isLine, "\(width)×\(height), \(share)")
      }
    }
  }

  @Test(arguments: [PixelLayout.nv21, .uyvy, .y210], ColorRange.allCases) func `a ramp is a diagonal`(
    layout: PixelLayout, range: ColorRange
  ) {
    let scale = CodeScale(range: range, bitDepth: layout.bitDepth)
    var samples = grey(256, 3, layout, 0)
    for index in samples.luma.indices {
      samples.luma[index] = scale.lumaOffset + (scale.lumaSpan * (index % 256) + 127) / 255
    }
    let lit = places(ScopePlot.waveform(samples, layout: layout, range: range), isTrace)
    #expect(lit.count == 256 && Set(lit.map(\.x)).count == 256)
    for place in lit {
      let row = (440 - 400 * Double(place.x) / 255) / 3
      #expect(abs(Double(place.y) + 0.5 - row) < 1, "column \(place.x)")
    }
  }

  @Test func `one sample is seen beside many`() {
    var samples = grey(256, 100, .nv12, 126)
    samples.luma[50 * 256 + 200] = 16
    let lit = places(ScopePlot.waveform(samples, layout: .nv12, range: .limited), isTrace)
    #expect(lit.count == 257 && lit.contains(SIMD2(200, 146)))
  }

  /// Where no sample is, black and white have their lines.
  @Test func `levels have lines`() {
    let picture = ScopePlot.waveform(grey(256, 2, .nv12, 126), layout: .nv12, range: .limited)
    func brightness(_ row: Int) -> Int { pixel(picture, 128, row).y }
    #expect(brightness(13) > brightness(20) + 20 && brightness(146) > brightness(120) + 20)
  }

  @Test(arguments: [PixelLayout.nv12, .yv12, .yuyv, .p010, .yuv422p10], ColorRange.allCases)
  func `bars of 75 % are in their boxes, and grey in the middle`(layout: PixelLayout, range: ColorRange) throws {
    let scale = CodeScale(range: range, bitDepth: layout.bitDepth)
    func scope(_ cb: Double, _ cr: Double, _ matrix: ColorMatrix) -> Picture {
      let codes = [cb, cr].map { scale.chromaOffset + Int((Double(scale.chromaSpan) * $0).rounded()) }
      let samples = flat(9, 5, layout, [scale.lumaOffset] + codes)
      return ScopePlot.vectorscope(samples, layout: layout, range: range, matrix: matrix)
    }
    for matrix in ColorMatrix.allCases {
      let middle = scope(0, 0, matrix)
      #expect(middle.width == 160 && middle.height == 160)
      #expect(places(middle, isTrace) == [SIMD2(80, 80)])
      // BT.601-7, BT.709-6 and BT.2020-2: what red and blue weigh.
      let (kr, kb) =
        switch matrix {
        case .rec601: (0.299, 0.114)
        case .rec709: (0.2126, 0.0722)
        case .rec2020: (0.2627, 0.0593)
        }
      for bar in [[1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1]] as [SIMD3<Int>] {
        let (red, green, blue) = (0.75 * Double(bar.x), 0.75 * Double(bar.y), 0.75 * Double(bar.z))
        let luma = kr * red + (1 - kr - kb) * green + kb * blue
        let picture = scope((blue - luma) / (2 - 2 * kb), (red - luma) / (2 - 2 * kr), matrix)
        let lit = places(picture, isTrace)
        let point = try #require(lit.first)
        #expect(lit.count == 1)
        let box = places(picture) { !isTrace($0) && isHue($0, of: bar) }
        let (left, right) = (try #require(box.map(\.x).min()), try #require(box.map(\.x).max()))
        let (top, bottom) = (try #require(box.map(\.y).min()), try #require(box.map(\.y).max()))
        #expect((7...11).contains(right - left + 1) && (7...11).contains(bottom - top + 1), "\(matrix), \(bar)")
        #expect(abs(2 * point.x - left - right) < 3 && abs(2 * point.y - top - bottom) < 3, "\(matrix), \(bar)")
      }
    }
  }

  /// Whether the bar's channels stand out from the others.
  private func isHue(_ color: SIMD3<Int>, of bar: SIMD3<Int>) -> Bool {
    let inside = (0..<3).filter { bar[$0] == 1 }.map { color[$0] }.min() ?? 0
    let outside = (0..<3).filter { bar[$0] == 0 }.map { color[$0] }.max() ?? 255
    return inside - outside > 40
  }

  // MARK: Pictures

  private func color(_ matrix: ColorMatrix, _ range: ColorRange) -> ColorDescription {
    ColorDescription(matrix: matrix, range: range, transfer: .rec709, primaries: .rec709)
  }

  @Test func `known codes have their colours`() {
    let known: [(ColorMatrix, ColorRange, [Int], SIMD3<Int>)] = [
      (.rec709, .limited, [63, 102, 240], [255, 0, 0]), (.rec709, .limited, [173, 42, 26], [0, 255, 0]),
      (.rec709, .limited, [32, 240, 118], [0, 0, 255]), (.rec709, .limited, [51, 109, 212], [191, 0, 0]),
      (.rec709, .limited, [235, 128, 128], [255, 255, 255]), (.rec709, .limited, [16, 128, 128], [0, 0, 0]),
      (.rec709, .limited, [126, 128, 128], [128, 128, 128]), (.rec709, .full, [54, 99, 255], [255, 0, 0]),
      (.rec709, .full, [200, 128, 128], [200, 200, 200]), (.rec601, .limited, [81, 90, 240], [255, 0, 0]),
      (.rec2020, .limited, [74, 97, 240], [255, 0, 0]),
      // Outside the nominal range: cut off.
      (.rec709, .limited, [254, 128, 128], [255, 255, 255]), (.rec709, .limited, [1, 128, 128], [0, 0, 0]),
    ]
    for (matrix, range, codes, rgb) in known {
      for (width, height) in [(1, 1), (7, 5), (8, 2)] {
        for layout in [PixelLayout.nv12, .uyvy] {
          let samples = flat(width, height, layout, codes)
          let picture = Picture(samples, layout: layout, color: color(matrix, range), width: width)
          #expect(picture.width == width && picture.height == height)
          let isAll = places(picture) { isNear($0, rgb, 2) }.count == width * height
          #expect(isAll, "\(matrix), \(range), \(codes), \(width)×\(height): \(pixel(picture, 0, 0))")
        }
      }
      if range == .limited {
        let samples = flat(3, 3, .p010, codes.map { 4 * $0 })
        let picture = Picture(samples, layout: .p010, color: color(matrix, range), width: 3)
        #expect(isNear(pixel(picture, 2, 2), rgb, 2), "10 bits, \(codes)")
      }
    }
  }

  @Test(arguments: [PixelLayout.yuv420p, .yuv422p]) func `every pixel has the chroma of its block`(layout: PixelLayout)
  {
    let bars: [([Int], SIMD3<Int>)] = [
      ([63, 102, 240], [255, 0, 0]), ([173, 42, 26], [0, 255, 0]), ([32, 240, 118], [0, 0, 255]),
      ([235, 128, 128], [255, 255, 255]),
    ]
    // Across and down; the last block has one pixel.
    for isAcross in [true, false] {
      let (width, height) = isAcross ? (7, 5) : (5, 7)
      var samples = flat(width, height, layout, [0, 0, 0])
      func bar(_ x: Int, _ y: Int) -> ([Int], SIMD3<Int>) { bars[(isAcross ? x : y) / 2] }
      for y in 0..<height {
        for x in 0..<width {
          samples.luma[y * width + x] = bar(x, y).0[0]
          samples.cb[samples.block(x: x, y: y)] = bar(x, y).0[1]
          samples.cr[samples.block(x: x, y: y)] = bar(x, y).0[2]
        }
      }
      let picture = Picture(samples, layout: layout, color: .rec709, width: width)
      for y in 0..<height {
        for x in 0..<width { #expect(isNear(pixel(picture, x, y), bar(x, y).1, 2), "(\(x), \(y))") }
      }
    }
  }

  @Test func `a picture becomes smaller by the means of its squares`() {
    var samples = grey(7, 5, .nv12, 0)
    for y in 0..<5 { for x in 0..<7 { samples.luma[y * 7 + x] = 3 + 17 * x + 23 * y } }
    for (most, step, width, height) in [
      (320, 1, 7, 5), (7, 1, 7, 5), (6, 2, 4, 3), (4, 2, 4, 3), (3, 3, 3, 2), (2, 4, 2, 2), (1, 7, 1, 1),
    ] {
      let picture = Picture(samples, layout: .nv12, color: color(.rec709, .full), width: most)
      #expect(picture.width == width && picture.height == height, "at most \(most)")
      for y in 0..<height {
        for x in 0..<width {
          var square: [Int] = []
          for row in (y * step)..<min((y + 1) * step, 5) {
            for column in (x * step)..<min((x + 1) * step, 7) { square.append(samples.luma[row * 7 + column]) }
          }
          let mean = Double(square.reduce(0, +)) / Double(square.count)
          let found = pixel(picture, x, y)
          #expect(found.x == found.y && found.y == found.z && abs(Double(found.x) - mean) <= 1, "\(most): (\(x), \(y))")
        }
      }
    }
  }

  // MARK: Differences

  private func picture(_ codes: [Int], _ width: Int = 5, _ height: Int = 3) -> Picture {
    Picture(flat(width, height, .nv12, codes), layout: .nv12, color: color(.rec709, .full), width: width)
  }

  @Test func `where pictures are equal the difference is grey`() {
    let one = picture([100, 90, 180])
    let difference = Picture.difference(one, one, gain: 8)
    #expect(difference.width == 5 && difference.height == 3)
    #expect(Set(difference.bytes).count == 1 && (127...128).contains(difference.bytes[0]))
  }

  @Test func `a difference is amplified around grey, and cut off`() {
    for (other, expected) in [(103, 151.5), (97, 103.5), (101, 135.5), (115, 247.5), (200, 255.0), (0, 0.0)] {
      let difference = Picture.difference(picture([100, 128, 128]), picture([other, 128, 128]), gain: 8)
      #expect(difference.bytes.allSatisfy { abs(Double($0) - expected) <= 1 }, "\(other): \(difference.bytes[0])")
    }
    // Two codes of Cr are three of red and one of green less.
    let red = Picture.difference(picture([100, 128, 128]), picture([100, 128, 130]), gain: 8)
    #expect(isNear(pixel(red, 2, 1), [152, 120, 128], 1))
  }

  @Test func `a difference is where it is`() {
    var samples = grey(5, 3, .nv12, 100)
    samples.luma[2 * 5 + 3] = 110
    let other = Picture(samples, layout: .nv12, color: color(.rec709, .full), width: 5)
    let difference = Picture.difference(picture([100, 128, 128]), other, gain: 8)
    #expect(places(difference) { !isNear($0, [128, 128, 128], 1) } == [SIMD2(3, 2)])
  }
}
