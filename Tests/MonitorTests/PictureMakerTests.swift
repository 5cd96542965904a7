import Color
import Foundation
import Frames
import Monitor
import RecorderAPI
import TestKit
import Testing

@Suite struct PictureMakerTests {
  private func empty(_ format: FrameFormat) -> Frame {
    guard let frame = FramePool(format: format, capacity: 1).take() else { fatalError("a new pool has a frame") }
    return frame
  }

  private func noise(_ format: FrameFormat, seed: UInt64 = 1) -> Frame {
    var frame = empty(format)
    var random = SplitMix(seed: seed)
    for plane in 0..<format.planeCount {
      frame.withMutablePlane(plane) { bytes in
        for index in bytes.indices {
          // A word of ten bits has six that are 0.
          let isHigh = format.layout.bytesPerSample == 2 && index % 2 == 1 && format.layout.codeShift == 0
          bytes[index] = UInt8.random(in: 0...(isHigh ? 3 : 255), using: &random)
        }
      }
    }
    return frame
  }

  private func bytes(of frame: borrowing Frame) -> [UInt8] {
    (0..<frame.format.planeCount).flatMap { plane in frame.withPlane(plane) { Array($0) } }
  }

  // MARK: Sizes

  private func size(
    _ width: Int, _ height: Int, _ request: PictureMaker.Request, _ layout: PixelLayout = .nv12
  ) throws -> [Int] {
    let maker = try PictureMaker(
      FrameFormat(width: width, height: height, layout: layout, color: .rec709), request, frames: 1)
    return [maker.width, maker.height]
  }

  @Test(arguments: [
    (nil, [1920, 1080]), (960, [960, 540]), (961, [960, 540]), (1, [2, 2]), (2, [2, 2]), (100, [100, 56]),
    (1919, [1918, 1078]), (1920, [1920, 1080]), (5000, [1920, 1080]),
  ])
  func aPictureIsNeverLargerThanTheFrame_andEven(wanted: Int?, expected: [Int]) throws {
    #expect(try size(1920, 1080, .init(width: wanted, isGraded: true)) == expected)
  }

  @Test func oddFramesStayOddOnlyAsTheyAre() throws {
    #expect(try size(1001, 777, .init(isGraded: true)) == [1001, 777])
    #expect(try size(1001, 777, .init(width: 1000, isGraded: true)) == [1000, 776])
    #expect(try size(1001, 777, .init(width: 501, isGraded: true)) == [500, 388])
    #expect(try size(1, 1, .init(width: 1, isGraded: true)) == [1, 1])
  }

  @Test(arguments: [
    (Rotation.none, [960, 540]), (.quarter, [960, 1706]), (.half, [960, 540]), (.threeQuarters, [960, 1706]),
  ])
  func theWidthIsThatOfTheUprightPicture(rotation: Rotation, expected: [Int]) throws {
    #expect(try size(1920, 1080, .init(width: 960, rotation: rotation, isGraded: true)) == expected)
  }

  @Test func cropsAreWholeBlocks_ofOneSizeWhereverTheyBegin() throws {
    for x in stride(from: 0, through: 0.5, by: 0.013) {
      let crop = try MonitorCrop(x: x, y: 0.5 - x, width: 0.5, height: 0.5)
      #expect(try size(1920, 1080, .init(crop: crop, isGraded: true)) == [960, 540])
      #expect(try size(1920, 1080, .init(crop: crop, rotation: .quarter, isGraded: true)) == [540, 960])
    }
    let corner = try MonitorCrop(x: 0.75, y: 0.75, width: 0.25, height: 0.25)
    #expect(try size(1001, 777, .init(crop: corner, isGraded: true)) == [251, 195])
    let point = try MonitorCrop(x: 1 - 1e-9, y: 0, width: 1e-9, height: 1e-9)
    #expect(try size(1920, 1080, .init(crop: point, isGraded: true)) == [2, 2])
  }

  /// A frame with a mark in its upper left corner as people see it: the crop of that corner shows the mark.
  @Test(arguments: Rotation.allCases) func aCropIsOfTheUprightPicture(rotation: Rotation) throws {
    let format = FrameFormat(width: 64, height: 32, layout: .yuv444p, color: .rec709)
    var frame = empty(format)
    let (left, top) = (rotation == .half || rotation == .threeQuarters, rotation == .half || rotation == .quarter)
    frame.withMutablePlane(0) { bytes in
      for y in 0..<32 {
        for x in 0..<64 {
          let isMarked = (left ? x >= 48 : x < 16) && (top ? y >= 24 : y < 8)
          bytes[y * format.stride(plane: 0) + x] = isMarked ? 235 : 16
        }
      }
    }
    for plane in 1..<3 { frame.withMutablePlane(plane) { bytes in for at in bytes.indices { bytes[at] = 128 } } }
    for (x, y, expected) in [(0.0, 0.0, 255), (0.25, 0, 0), (0, 0.25, 0), (0.75, 0.75, 0)] {
      let maker = try PictureMaker(
        format, .init(crop: MonitorCrop(x: x, y: y, width: 0.25, height: 0.25), rotation: rotation, isGraded: true),
        frames: 1)
      let picture = try maker.jpegFrame(of: frame)
      #expect(Set(picture.packedLuma()) == [UInt8(expected)], "\(x), \(y)")
    }
  }

  // MARK: Ways to a picture

  @Test(arguments: PixelLayout.allCases) func bytesOfATapAreTheFrame(layout: PixelLayout) throws {
    let format = FrameFormat(width: 66, height: 34, layout: layout, color: .rec709)
    let source = noise(format), tapped = TappedBytes(bytes(of: source), format).lend()
    let maker = try PictureMaker(format, .init(width: 40, rotation: .quarter, isGraded: true), frames: 2)
    let fromFrame = FrameRows.of(try maker.jpegFrame(of: source))
    let fromBytes = FrameRows.of(try maker.jpegFrame(of: tapped))
    #expect(fromFrame == fromBytes)
    #expect(maker.pngBits == (layout.bitDepth > 8 ? 16 : 8))
    var whole = [UInt8](repeating: 0, count: maker.height * maker.pngRowBytes), strips = whole
    whole.withUnsafeMutableBytes { maker.pngRows(0..<maker.height, of: source, into: $0) }
    strips.withUnsafeMutableBytes { strips in
      for row in 0..<maker.height {
        let room = UnsafeMutableRawBufferPointer(rebasing: strips[(row * maker.pngRowBytes)...])
        maker.pngRows(row..<row + 1, of: tapped, into: room)
      }
    }
    #expect(whole == strips)
  }

  @Test func picturesThatAreKeptAreRefusedAtLast_andGivenBack() throws {
    let format = FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709)
    let source = noise(format), maker = try PictureMaker(format, .init(isGraded: true), frames: 1)
    do {
      let kept = try maker.jpegFrame(of: source)
      #expect(kept.format == maker.jpegFormat)
      do {
        _ = try maker.jpegFrame(of: source)
        Issue.record("a second picture")
      } catch { #expect(error.code == .defect) }
    }
    _ = try maker.jpegFrame(of: source)
  }

  // MARK: Colours

  static let srgb = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .rec709)

  /// What `--color-out` takes, and linear light.
  static let outputs: [ColorDescription] = [
    .rec709, .rec601, .rec2020, .appleLog,
    ColorDescription(matrix: .rec709, range: .limited, transfer: .slog3, primaries: .sGamut3Cine),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .vlog, primaries: .vGamut),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .logC3, primaries: .alexaWideGamut),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .logC4, primaries: .alexaWideGamut4),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .fLog2, primaries: .rec2020),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .cLog3, primaries: .cinemaGamut),
    srgb,
    ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3),
    ColorDescription(matrix: .rec2020, range: .limited, transfer: .pq, primaries: .rec2020),
    ColorDescription(matrix: .rec2020, range: .limited, transfer: .hlg, primaries: .rec2020),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .linear, primaries: .rec709),
  ]

  @Test func whatAPictureShows() {
    let shown = ColorDescription(matrix: .rec601, range: .full, transfer: .srgb, primaries: .rec709)
    for color in Self.outputs {
      let graded = PictureColors(color, isGraded: true), ungraded = PictureColors(color, isGraded: false)
      let isLog = ![TransferCharacteristic.rec709, .srgb, .linear, .pq, .hlg].contains(color.transfer)
      #expect(graded.shown == shown)
      #expect((graded.transform == nil) == [.rec709, Self.srgb].contains(color))
      guard isLog else {
        #expect(ungraded == graded)
        continue
      }
      #expect(ungraded.transform == nil)
      var log = shown
      (log.transfer, log.primaries) = (color.transfer, color.primaries)
      #expect(ungraded.shown == log)
    }
    let unknown = ColorDescription(matrix: .rec601, range: .full, transfer: .unspecified, primaries: .unspecified)
    #expect(PictureColors(unknown, isGraded: false).shown == shown)
    #expect(PictureColors(unknown, isGraded: false).transform == nil)
  }

  /// Flat patches of colours that an sRGB display has, within 2 codes of their definition by `DisplayTransform` in the
  /// picture for a JPEG, and within 1 in that for a PNG.
  @Test(arguments: PictureMakerTests.outputs, [PixelLayout.yuv420p, .yuv422p10])
  func patchesKeepTheirColors(color: ColorDescription, layout: PixelLayout) throws {
    for range in ColorRange.allCases {
      var color = color
      color.range = range
      try checkPatches(color, layout)
    }
  }

  private func checkPatches(_ color: ColorDescription, _ layout: PixelLayout) throws {
    let edge = 16, across = 24, down = 16
    let format = FrameFormat(width: across * edge, height: down * edge, layout: layout, color: color)
    let scale = CodeScale(range: color.range, bitDepth: layout.bitDepth), transform = DisplayTransform(color)
    var random = SplitMix(seed: 3), codes: [SIMD3<Int>] = []
    while codes.count < across * down {
      // Codes of colours that are not clipped, but for grey, which may be.
      let isGrey = codes.count % 8 == 0
      let middle = scale.chromaOffset, reach = isGrey ? 0 : scale.chromaSpan / 4
      let code = SIMD3(
        Int.random(in: scale.lumaOffset...scale.lumaOffset + scale.lumaSpan, using: &random),
        Int.random(in: middle - reach...middle + reach, using: &random),
        Int.random(in: middle - reach...middle + reach, using: &random))
      let raw = signal(code, scale, color.matrix), shown = transform.sRGB(raw)
      let isShown = shown.min() > 0.01 && shown.max() < 0.99 && raw.min() >= 0 && raw.max() <= 1
      if isGrey || isShown { codes.append(code) }
    }
    var source = empty(format)
    for plane in 0..<3 {
      let (wide, tall) = plane == 0 ? (edge, edge) : (edge / layout.chroma.across, edge / layout.chroma.down)
      source.withMutablePlane(plane) { bytes in
        for y in 0..<down * tall {
          for x in 0..<across * wide {
            let code = codes[x / wide + across * (y / tall)][plane], at = y * format.stride(plane: plane)
            if layout.bytesPerSample == 1 {
              bytes[at + x] = UInt8(code)
            } else {
              bytes.storeBytes(of: UInt16(code), toByteOffset: at + 2 * x, as: UInt16.self)
            }
          }
        }
      }
    }
    let maker = try PictureMaker(format, .init(width: format.width / 2, isGraded: true), frames: 1)
    let samples = PictureSamples(try maker.jpegFrame(of: source))
    var png = [UInt8](repeating: 0, count: maker.height * maker.pngRowBytes)
    png.withUnsafeMutableBytes { maker.pngRows(0..<maker.height, of: source, into: $0) }
    let jfif = CodeScale(range: .full, bitDepth: 8)
    for (index, code) in codes.enumerated() {
      let expected = transform.sRGB(signal(code, scale, color.matrix)) * 255
      let x = index % across * edge / 2 + edge / 4, y = index / across * edge / 2 + edge / 4
      let block = samples.block(x: x, y: y)
      let found = SIMD3(samples.luma[x + y * samples.width], samples.cb[block], samples.cr[block])
      let decoded = signal(found, jfif, .rec601).clamped(lowerBound: .zero, upperBound: .one) * 255
      for channel in 0..<3 {
        let near = (decoded[channel].rounded() - expected[channel]).magnitude
        #expect(near <= 2, "\(color.transfer): \(code) is \(decoded), not \(expected)")
        let at = y * maker.pngRowBytes + (3 * x + channel) * maker.pngBits / 8
        let own = maker.pngBits == 8
          ? Double(png[at]) : Double(UInt16(png[at]) | UInt16(png[at + 1]) << 8) / 257
        #expect(abs(own - expected[channel]) <= 1, "\(color.transfer): \(code) is \(own) in a PNG, not \(expected)")
      }
    }
  }

  private func signal(_ code: SIMD3<Int>, _ scale: CodeScale, _ matrix: ColorMatrix) -> SIMD3<Double> {
    matrix.rgb(
      luma: Double(code.x - scale.lumaOffset) / Double(scale.lumaSpan),
      cb: Double(code.y - scale.chromaOffset) / Double(scale.chromaSpan),
      cr: Double(code.z - scale.chromaOffset) / Double(scale.chromaSpan))
  }

  /// An ungraded log picture has the log's R'G'B'.
  @Test func ungradedLogKeepsItsCodes() throws {
    let format = FrameFormat(width: 16, height: 16, layout: .yuv444p10, color: .appleLog)
    let code = SIMD3(500, 560, 460)
    var source = empty(format)
    for plane in 0..<3 {
      source.withMutablePlane(plane) { bytes in
        for at in stride(from: 0, to: bytes.count, by: 2) {
          bytes.storeBytes(of: UInt16(code[plane]), toByteOffset: at, as: UInt16.self)
        }
      }
    }
    let maker = try PictureMaker(format, .init(isGraded: false), frames: 1)
    var png = [UInt8](repeating: 0, count: maker.height * maker.pngRowBytes)
    png.withUnsafeMutableBytes { maker.pngRows(0..<maker.height, of: source, into: $0) }
    let expected = signal(code, CodeScale(range: .limited, bitDepth: 10), .rec2020) * 65535
    for channel in 0..<3 {
      let found = Int(png[2 * channel]) | Int(png[2 * channel + 1]) << 8
      #expect(abs(Double(found) - expected[channel]) < 2)
    }
  }
}
