import Color
import Exposure
import Foundation
import Frames
import Testing

struct MeterTests {
  /// A frame whose luma is a function of place; chroma is filled with what no luma should be taken for.
  static func frame(
    _ layout: PixelLayout, _ color: ColorDescription = .rec709, width: Int = 322, height: Int = 181,
    code: (Int, Int) -> Int
  ) -> Frame {
    let format = FrameFormat(width: width, height: height, layout: layout, color: color)
    var frame = FramePool(format: format, capacity: 1).take()!
    for plane in 0..<layout.planeCount {
      frame.withMutablePlane(plane) { bytes in for index in bytes.indices { bytes[index] = 0xA5 } }
    }
    let packed = layout.planeCount == 1 ? 2 : 1, first = layout == .uyvy ? 1 : 0
    frame.withMutablePlane(0) { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let place = y * format.stride(plane: 0)
          if layout.bytesPerSample == 2 {
            let word = UInt16(code(x, y) << layout.codeShift).littleEndian
            bytes.storeBytes(of: word, toByteOffset: place + 2 * packed * x, as: UInt16.self)
          } else {
            bytes[place + packed * x + first] = UInt8(code(x, y))
          }
        }
      }
    }
    return frame
  }

  /// A luminance's code, EV above grey.
  static func code(_ ev: Double, _ layout: PixelLayout, _ color: ColorDescription) -> Int {
    let scale = CodeScale(range: color.range, bitDepth: layout.bitDepth)
    let signal = TransferFunction(color.transfer)!.encode(0.18 * exp2(ev))
    return min(scale.maximum, Int((Double(scale.lumaOffset) + signal * Double(scale.lumaSpan)).rounded()))
  }

  @Test(arguments: PixelLayout.allCases)
  func everyLayoutAndRangeReadsItsGrey(_ layout: PixelLayout) {
    for range in ColorRange.allCases {
      var color = ColorDescription.rec709
      color.range = range
      let format = FrameFormat(width: 322, height: 181, layout: layout, color: color)
      for mode in [MeteringMode.average, .centreWeighted, .spot(x: 0.9, y: 0.1), .highlightWeighted] {
        var meter = Meter(format: format, mode: mode)
        for ev in [-3.0, -1, 0, 2] {
          let code = Self.code(ev, layout, color)
          let reading = meter.read(Self.frame(layout, color) { _, _ in code })
          #expect(abs(reading.level.ev - ev) < 0.09, "\(range) \(mode) \(ev): \(reading)")
          #expect(reading.clipped == 0 && reading.crushed == 0 && reading.spread == .zero)
        }
      }
    }
  }

  @Test(arguments: [TransferCharacteristic.appleLog, .slog3, .vlog, .logC4])
  func logCurvesAreLinearised(_ transfer: TransferCharacteristic) {
    let color = ColorDescription(matrix: .rec2020, range: .limited, transfer: transfer, primaries: .rec2020)
    var meter = Meter(format: FrameFormat(width: 322, height: 181, layout: .p010, color: color))
    for ev in [-4.0, 0, 3, 5] {
      let code = Self.code(ev, .p010, color)
      #expect(abs(meter.read(Self.frame(.p010, color) { _, _ in code }).level.ev - ev) < 0.1)
    }
  }

  @Test func sensorThatClipsBelowTheTopOfItsCurveCountsAsClipped() {
    let color = ColorDescription(matrix: .rec709, range: .limited, transfer: .slog3, primaries: .rec709)
    let format = FrameFormat(width: 322, height: 181, layout: .p010, color: color)
    let full = Self.code(log2(12 / 0.18), .p010, color)
    var knowing = Meter(format: format, saturation: 12), unknowing = Meter(format: format)
    #expect(knowing.read(Self.frame(.p010, color) { _, _ in full }).clipped == 1024)
    #expect(unknowing.read(Self.frame(.p010, color) { _, _ in full }).clipped == 0)
  }

  @Test func allClippedAndAllBlackHaveAnswers() {
    let format = FrameFormat(width: 322, height: 181, layout: .nv12, color: .rec709)
    for mode in [MeteringMode.average, .centreWeighted, .spot(x: 0, y: 1), .highlightWeighted] {
      var meter = Meter(format: format, mode: mode)
      let white = meter.read(Self.frame(.nv12) { _, _ in 235 })
      #expect(white.clipped == 1024 && abs(white.level.ev - 2.47) < 0.01 && white.crushed == 0)
      let black = meter.read(Self.frame(.nv12) { _, _ in 16 })
      #expect(black.crushed == 1024 && black.level == MeterCurve.floor && black.clipped == 0)
    }
  }

  @Test func spotReadsItsPointAlone() {
    let format = FrameFormat(width: 1920, height: 1080, layout: .yuv420p, color: .rec709)
    let bright = Self.code(2, .yuv420p, .rec709), dark = Self.code(-3, .yuv420p, .rec709)
    // A square 135 pixels wide around (1440, 270); the edges of the picture are bright on the right alone.
    let picture: (Int, Int) -> Int = { x, y in
      (1372...1508).contains(x) && (202...338).contains(y) || x >= 1785 ? bright : dark
    }
    for (x, y, ev) in [(0.75, 0.25, 2.0), (0.25, 0.25, -3), (1, 0.5, 2), (0, 0, -3), (0.82, 0.25, -3), (0.5, 0.5, -3)] {
      var meter = Meter(format: format, mode: .spot(x: x, y: y))
      let frame = Self.frame(.yuv420p, width: 1920, height: 1080, code: picture)
      #expect(abs(meter.read(frame).level.ev - ev) < 0.1, "\(x), \(y)")
    }
  }

  @Test func weightFallsFromTheCentreToTheCorners() {
    let format = FrameFormat(width: 960, height: 540, layout: .nv12, color: .rec709)
    let bright = Self.code(1, .nv12, .rec709), grey = Self.code(0, .nv12, .rec709)
    func level(_ mode: MeteringMode, _ x: Int, _ y: Int) -> Double {
      var meter = Meter(format: format, mode: mode)
      let frame = Self.frame(.nv12, width: 960, height: 540) { px, py in
        (x..<x + 100).contains(px) && (y..<y + 100).contains(py) ? bright : grey
      }
      return meter.read(frame).level.ev - level0
    }
    let level0 = MeterCurve(color: .rec709, bitDepth: 8).levels[grey].ev
    let centre = level(.centreWeighted, 430, 220), corner = level(.centreWeighted, 0, 0)
    // The formula, 3 − 2r², at the middles of the two squares.
    #expect(corner > 0 && abs(centre / corner - 2.98 / 1.46) < 0.25, "\(centre) \(corner)")
    #expect(abs(level(.average, 430, 220) / level(.average, 0, 0) - 1) < 0.01)
    #expect(level(.highlightWeighted, 0, 0) > 1.8 * level(.average, 0, 0))
  }

  @Test func blackBarsDoNotCount() {
    let format = FrameFormat(width: 960, height: 540, layout: .nv12, color: .rec709)
    let grey = Self.code(0, .nv12, .rec709)
    var meter = Meter(format: format)
    let boxed = {
      Self.frame(.nv12, width: 960, height: 540) { x, y in y < 70 || y >= 470 || x < 120 ? 16 + (x & 1) : grey }
    }
    #expect(abs(meter.read(boxed()).level.ev) < 0.05)
    // A bar that comes is believed after half a second, and not before.
    var late = Meter(format: format)
    _ = late.read(Self.frame(.nv12, width: 960, height: 540) { _, _ in grey })
    let levels = (0..<14).map { _ in late.read(boxed()).level.ev }
    #expect(levels[0] < -0.5 && levels[0] == levels[10] && abs(levels[13]) < 0.05, "\(levels)")
    // An edge that is black now and then stays part of the picture.
    var flickering = Meter(format: format)
    _ = flickering.read(Self.frame(.nv12, width: 960, height: 540) { _, _ in grey })
    let edges = (0..<60).map { index in
      flickering.read(
        Self.frame(.nv12, width: 960, height: 540) { x, y in y < 100 ? (index % 5 == 0 && x == 475 ? 25 : 16) : grey }
      ).level.ev
    }
    #expect(edges.allSatisfy { abs($0 - edges[1]) < 0.02 } && edges[1] < -0.3, "\(edges)")
  }

  @Test func anotherFormatIsReadForWhatItIs() {
    var meter = Meter(format: FrameFormat(width: 64, height: 36, layout: .nv12, color: .rec709))
    let code = Self.code(1, .p010, .appleLog)
    let reading = meter.read(Self.frame(.p010, .appleLog, width: 31, height: 17) { _, _ in code })
    #expect(abs(reading.level.ev - 1) < 0.05)
    meter.mode = .spot(x: 0.5, y: 0.5)
    #expect(abs(meter.read(Self.frame(.uyvy, width: 1, height: 1) { _, _ in 255 }).level.ev - 2.8) < 0.1)
  }

  @Test func partsAreReadEachForItself() throws {
    // The first part brighter, the last one clipped.
    let frame = Self.frame(.nv12, width: 96, height: 54) { x, y in
      x < 24 && y < 18 ? 180 : x >= 72 && y >= 36 ? 235 : 90
    }
    var meter = Meter(format: frame.format, mode: .average)
    let cells = try #require(meter.read(frame).cells)
    let levels = MeterCurve(color: frame.format.color, bitDepth: 8).levels
    #expect(cells[0] == levels[180] && cells[MeterCells.count - 1] == nil)
    #expect((1..<MeterCells.count - 1).allSatisfy { cells[$0] == levels[90] })
    var spot = Meter(format: frame.format, mode: .spot(x: 0.5, y: 0.5))
    #expect(spot.read(frame).cells == nil)
  }
}
