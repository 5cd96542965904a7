import Color
import Frames
import Kernels
import TestKit
import Testing

@Suite struct PictureKernelTests {
  static let jfif = ColorDescription(matrix: .rec601, range: .full, transfer: .srgb, primaries: .rec709)
  private static let turns: Set<Rotation> = [.quarter, .threeQuarters]

  /// A frame's size, the part of it, and how many pixels that becomes, before it is turned.
  struct Shape {
    let width: Int
    let height: Int
    let part: (left: Int, top: Int, columns: Int, rows: Int)
    let to: (Int, Int)

    static func whole(_ width: Int, _ height: Int, _ to: (Int, Int)) -> Shape {
      Shape(width: width, height: height, part: (0, 0, width, height), to: to)
    }

    func view(_ rotation: Rotation) -> PictureKernel.View {
      let isTurned = turns.contains(rotation)
      return PictureKernel.View(
        left: part.left, top: part.top, columns: part.columns, rows: part.rows, rotation: rotation,
        width: isTurned ? to.1 : to.0, height: isTurned ? to.0 : to.1)
    }
  }

  static let shapes = [
    // As they are, in halves and in quarters, which have loops of their own.
    Shape.whole(32, 12, (32, 12)), .whole(36, 12, (18, 6)), .whole(64, 16, (16, 4)), .whole(64, 32, (32, 8)),
    // Odd sides.
    .whole(1, 1, (1, 1)), .whole(2, 3, (2, 2)), .whole(33, 13, (33, 13)), .whole(33, 13, (16, 6)),
    // Any ratio, and one that is large.
    .whole(40, 30, (28, 20)), .whole(39, 29, (38, 28)), .whole(48, 27, (32, 18)), .whole(100, 30, (2, 2)),
    // Parts in the middle and at the corners.
    Shape(width: 40, height: 30, part: (6, 4, 20, 12), to: (10, 6)),
    Shape(width: 41, height: 31, part: (24, 20, 17, 11), to: (17, 11)),
    Shape(width: 41, height: 31, part: (24, 20, 17, 11), to: (12, 8)),
    Shape(width: 42, height: 32, part: (30, 26, 12, 6), to: (8, 6)),
  ]

  /// Of more than one piece of columns, each with a rest.
  static let wideShapes = [
    Shape.whole(602, 6, (522, 4)), .whole(1032, 8, (516, 4)), .whole(600, 4, (600, 4)), .whole(601, 3, (601, 3)),
  ]

  /// The view as every level makes it: Y'CbCr, R'G'B' of 8 bits and of 16. All give the same.
  private func made(
    _ shape: Shape, _ rotation: Rotation, _ layout: PixelLayout, _ color: ColorDescription,
    _ transform: DisplayTransform?, seed: UInt64
  ) throws -> (samples: PictureSamples, narrow: [UInt8], wide: [UInt16], plain: PlainView) {
    var random = SplitMix(seed: seed)
    let source = GuardedPicture(width: shape.width, height: shape.height, layout: layout, color: color)
    let samples = PictureSamples.random(width: shape.width, height: shape.height, layout: layout, using: &random)
    source.samples = samples
    let view = shape.view(rotation), conversion = transform.map { RGBConversion($0) }
    var first: (samples: PictureSamples, narrow: [UInt8], wide: [UInt16])?
    for level in KernelLevel.supported {
      let kernel = try PictureKernel(
        source.frame.format, view, color: Self.jfif, conversion: conversion, level: level)
      var target = GuardedPicture(width: view.width, height: view.height, layout: .yuv420p, color: Self.jfif)
      kernel.make(of: source.frame.storage, source.frame.format, into: &target.frame)
      #expect(source.changedGuards() + target.changedGuards() == 0)
      var narrow = [UInt8](repeating: 0, count: 3 * view.width * view.height)
      var wide = [UInt16](repeating: 0, count: narrow.count)
      // By strips: all divisions give the same.
      let middle = view.height / 3, rowBytes = 3 * view.width
      narrow.withUnsafeMutableBytes { bytes in
        for rows in [middle..<view.height, 0..<middle] {
          let strip = bytes[rows.lowerBound * rowBytes..<rows.upperBound * rowBytes]
          let room = UnsafeMutableRawBufferPointer(rebasing: strip)
          kernel.makeRGB(rows: rows, of: source.frame.storage, source.frame.format, bits: 8, into: room)
        }
      }
      wide.withUnsafeMutableBytes { bytes in
        kernel.makeRGB(
          rows: 0..<view.height, of: source.frame.storage, source.frame.format, bits: 16, into: bytes)
      }
      let own = (samples: target.samples, narrow: narrow, wide: wide)
      let expected = first ?? own
      #expect(own.samples == expected.samples, "\(level)")
      #expect(own.narrow == expected.narrow, "\(level)")
      #expect(own.wide == expected.wide, "\(level)")
      first = expected
    }
    let found = try #require(first)
    return (found.samples, found.narrow, found.wide, PlainView(samples, source.frame.format, view))
  }

  /// Compares a view with the plain one.
  private func check(
    _ shape: Shape, _ rotation: Rotation, _ layout: PixelLayout, _ color: ColorDescription,
    _ transform: DisplayTransform? = nil, seed: UInt64
  ) throws {
    let (samples, narrow, wide, plain) = try made(shape, rotation, layout, color, transform, seed: seed)
    let view = shape.view(rotation), place: Comment = "\(layout), \(shape.part) to \(shape.to), \(rotation)"
    var (known, pixels, wrong) = (0, 0, 0)
    /// - Parameter slack: what the integers may be away from the number before both are rounded.
    func isRight(_ code: Int, _ value: Double, _ slack: Double) -> Bool {
      abs(Double(code) - min(max(value, 0), 255)) <= 0.5 + slack
    }
    for y in 0..<samples.chromaHeight {
      for x in 0..<samples.chromaWidth {
        pixels += 1
        guard let block = plain.block(x, y, Self.jfif, transform) else { continue }
        known += 1
        let at = x + y * samples.chromaWidth
        if !isRight(samples.cb[at], block.cb, block.slack) { wrong += 1 }
        if !isRight(samples.cr[at], block.cr, block.slack) { wrong += 1 }
        for (row, codes) in block.luma.enumerated() {
          for (column, value) in codes.enumerated()
          where !isRight(samples.luma[2 * x + column + (2 * y + row) * view.width], value, block.slack) { wrong += 1 }
        }
      }
    }
    for y in 0..<view.height {
      for x in 0..<view.width {
        pixels += 1
        guard let (value, slack) = plain.rgb(x, y, transform) else { continue }
        known += 1
        for channel in 0..<3 {
          let at = 3 * (x + y * view.width) + channel
          if !isRight(Int(narrow[at]), value[channel] * 255, slack) { wrong += 1 }
          if abs(Double(wide[at]) - value[channel] * 65535) > 257 * slack { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0, place)
    #expect(known * 2 >= pixels, place)
  }

  @Test(arguments: PixelLayout.allCases, Rotation.allCases)
  func everyShapeIsThePlainOne_atEveryLevel(layout: PixelLayout, rotation: Rotation) throws {
    for (number, shape) in Self.shapes.enumerated() {
      let colors: [ColorDescription] = [.rec709, .coded(.rec601, .full), .coded(.rec2020, .full), .rec601]
      try check(shape, rotation, layout, colors[(number + layout.bitDepth) % 4], seed: UInt64(number))
    }
  }

  @Test(arguments: [PixelLayout.nv12, .y210, .yuv444p], Rotation.allCases)
  func wideViewsAreThePlainOnes(layout: PixelLayout, rotation: Rotation) throws {
    for (number, shape) in Self.wideShapes.enumerated() {
      try check(shape, rotation, layout, .rec709, seed: UInt64(number))
    }
  }

  @Test(arguments: ColorMatrix.allCases, ColorRange.allCases)
  func everyMatrixAndRange(matrix: ColorMatrix, range: ColorRange) throws {
    for layout in [PixelLayout.nv12, .yuv422p10, .yuv444p] {
      try check(Self.shapes[0], .none, layout, .coded(matrix, range), seed: 5)
    }
  }

  /// Through light, with HLG's gain and log curves that begin below black.
  @Test(arguments: [
    ColorDescription(matrix: .rec2020, range: .limited, transfer: .hlg, primaries: .rec2020),
    ColorDescription(matrix: .rec2020, range: .limited, transfer: .pq, primaries: .rec2020),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .logC4, primaries: .alexaWideGamut4), .appleLog,
  ])
  func colorsGoThroughLight(color: ColorDescription) throws {
    for (number, layout) in [PixelLayout.nv12, .p010, .yuv444p10, .uyvy].enumerated() {
      for (place, shape) in [Self.shapes[1], Self.shapes[6], Self.shapes[8], Self.wideShapes[0]].enumerated() {
        try check(
          shape, Rotation.allCases[(number + place) % 4], layout, color, DisplayTransform(color), seed: UInt64(place))
      }
    }
  }

  @Test(arguments: PixelLayout.allCases, Rotation.allCases)
  func wholeBoxesAreTheSameByTheGeneralLoop(layout: PixelLayout, rotation: Rotation) throws {
    var random = SplitMix(seed: 9)
    for shape in Self.shapes.prefix(4) {
      let source = GuardedPicture(width: shape.width, height: shape.height, layout: layout, color: .rec709)
      source.samples = .random(width: shape.width, height: shape.height, layout: layout, using: &random)
      let view = shape.view(rotation)
      let pictures = try [true, false].map { takesBoxes in
        let kernel = try PictureKernel(source.frame.format, view, color: Self.jfif, takesBoxes: takesBoxes)
        var target = GuardedPicture(width: view.width, height: view.height, layout: .yuv420p, color: Self.jfif)
        kernel.make(of: source.frame.storage, source.frame.format, into: &target.frame)
        return target.samples
      }
      #expect(pictures[0] == pictures[1], "\(layout), \(shape.to), \(rotation)")
    }
  }
}
