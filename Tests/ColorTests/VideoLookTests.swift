import Color
import Foundation
import Frames
import Testing

/// What `LUTs/log2709.cube` promises, measured on the table itself.
@Suite struct VideoLookTests {
  static let path = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../LUTs/log2709.cube").standardized.path
  static let table = Result { try LookupTable(readingFile: path) }

  private let appleLog = TransferFunction(.appleLog)

  /// What the table makes of light in linear Rec.2020, clipped as the camera clips it.
  private func picture(_ light: SIMD3<Double>, _ interpolation: Interpolation) throws -> SIMD3<Double> {
    let signal = try #require(appleLog).encode(light).clamped(lowerBound: .zero, upperBound: .one)
    return try Self.table.get().evaluate(signal, interpolation: interpolation)
  }

  private func grey(_ stops: Double) throws -> Double {
    try picture(SIMD3(repeating: 0.18 * exp2(stops)), .tetrahedral).x
  }

  @Test func `the committed file is what its command makes, byte for byte`() throws {
    let made = try LookupTable.makeCubeFile(from: .appleLog, to: .rec709, size: 33)
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: Self.path))) == made)
  }

  @Test func `it reads without a warning`() throws {
    let table = try Self.table.get()
    #expect(table.warnings == [])
    #expect(table.title == "apple-log rec2020 to rec709")
    #expect(table.lattice?.size == 33 && table.curves == nil)
  }

  @Test func `18 % grey lands at 42 % signal`() throws {
    for interpolation in Interpolation.allCases {
      let grey = try picture(SIMD3(repeating: 0.18), interpolation)
      #expect(grey.min() > 0.418 && grey.max() < 0.423)
    }
  }

  @Test func `the shoulder carries six stops above grey`() throws {
    // The documented curve, and at least 20 ten-bit codes for each stop.
    let expected = [0.420, 0.595, 0.752, 0.866, 0.938, 0.978, 0.999]
    for (stop, value) in expected.enumerated() {
      #expect(abs(try grey(Double(stop)) - value) < 0.003)
      if stop > 0 { #expect(try grey(Double(stop)) - grey(Double(stop - 1)) > 20.0 / 1023) }
    }
    #expect(abs(try picture(SIMD3(repeating: 0.9), .tetrahedral).x - 0.794) < 0.003)
  }

  @Test func `white is white and black is black`() throws {
    let table = try Self.table.get()
    #expect(table.evaluate(.one, interpolation: .tetrahedral) == .one)
    let black = try picture(.zero, .tetrahedral)
    #expect(black.min() > -0.001 && black.max() < 0.001)
  }

  @Test(arguments: Interpolation.allCases)
  func `neutrals stay neutral to half an 8-bit code and rise`(interpolation: Interpolation) throws {
    let table = try Self.table.get()
    var last = -Double.infinity
    for step in 0...4092 {
      let value = table.evaluate(SIMD3(repeating: Double(step) / 4092), interpolation: interpolation)
      #expect(value.max() - value.min() < 0.5 / 255 / 100)
      #expect(value.x > last)
      last = value.x
    }
  }

  /// Through the three curves that a picture may be looked at with.
  @Test(arguments: ["camera curve of BT.709", "sRGB", "BT.1886"])
  func `hue of the 24 patches holds within five degrees from 0 to +6 EV`(display: String) throws {
    let camera = try #require(TransferFunction(.rec709))
    let srgb = try #require(TransferFunction(.srgb))
    func light(_ signal: SIMD3<Double>) -> SIMD3<Double> {
      let shown = signal.clamped(lowerBound: .zero, upperBound: .one)
      switch display {
      case "sRGB": return srgb.decode(shown)
      case "BT.1886": return SIMD3(pow(shown.x, 2.4), pow(shown.y, 2.4), pow(shown.z, 2.4))
      default: return camera.decode(shown)
      }
    }
    for patch in ColorChecker.patches {
      for interpolation in Interpolation.allCases {
        let reflectance = patch.linear(in: .rec2020)
        let normal = Oklab(linearRec709: light(try picture(reflectance, interpolation)))
        var last = normal
        for quarter in 1...24 {
          let color = Oklab(linearRec709: light(try picture(reflectance * exp2(Double(quarter) / 4), interpolation)))
          // Below this chroma a neutral is all that can be seen, and a hue is noise.
          if color.chroma > 0.005, normal.chroma > 0.005 {
            #expect(Oklab.hueDifference(color, normal) < 5, "\(patch.name) at +\(Double(quarter) / 4) EV")
          }
          #expect(color.lightness > last.lightness - 0.002, "\(patch.name) at +\(Double(quarter) / 4) EV")
          last = color
        }
        #expect(last.chroma < 0.02 && last.lightness > 0.8, "\(patch.name) at +6 EV")
      }
    }
  }

  @Test func `at normal exposure the patches have a Rec.709 camera's hue and about its colour`() throws {
    let srgb = try #require(TransferFunction(.srgb))
    let camera = try #require(TransferFunction(.rec709))
    for patch in ColorChecker.patches.prefix(18) where patch.name != "cyan" {
      let shown = Oklab(linearRec709: srgb.decode(try picture(patch.linear(in: .rec2020), .tetrahedral)))
      let usual = Oklab(linearRec709: srgb.decode(camera.encode(patch.linearRec709)))
      #expect(Oklab.hueDifference(shown, usual) < 8, "\(patch.name)")
      #expect(0.75...1.2 ~= shown.chroma / usual.chroma, "\(patch.name) \(shown.chroma / usual.chroma)")
    }
  }

  @Test func `a channel that clips leaves no colour`() throws {
    for interpolation in Interpolation.allCases {
      for light: SIMD3<Double> in [[40, 12, 2], [12, 0.5, 0.1], [0.2, 0.3, 20], [1, 16, 16]] {
        let value = try picture(light, interpolation)
        #expect(value.max() - value.min() < 0.01)
        #expect(value.min() > 0.95)
      }
    }
  }

  @Test func `the extremes of the camera's gamut stay near the code range`() throws {
    let samples = try #require(try Self.table.get().lattice?.samples)
    #expect(samples.allSatisfy { $0 > -0.25 && $0 < 1.00001 })
  }

  @Test(arguments: [
    ColorDescription(matrix: .rec709, range: .limited, transfer: .slog3, primaries: .sGamut3Cine),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .vlog, primaries: .vGamut),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .logC3, primaries: .alexaWideGamut),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .logC4, primaries: .alexaWideGamut4),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .fLog2, primaries: .rec2020),
    ColorDescription(matrix: .rec709, range: .limited, transfer: .cLog3, primaries: .cinemaGamut),
    .appleLog,
  ])
  func `every log curve gives a whole table with grey at 42 %`(input: ColorDescription) throws {
    let table = try LookupTable.make(from: input, to: .rec709, size: 17)
    // Canon Log 3 reaches deepest below black.
    #expect(table.lattice?.samples.allSatisfy { $0 > -0.3 && $0 < 1.02 } == true)
    let signal = try #require(TransferFunction(input.transfer)).encode(0.18)
    let look = try #require(VideoLook(from: input, to: .rec709))
    let grey = look.signal(for: SIMD3(repeating: signal))
    #expect(abs(grey.x - 0.42) < 1e-6 && grey.max() - grey.min() < 1e-6)
    #expect(table.facts.neutralsAreMonotonic && table.facts.neutralSpread < 1e-6)
  }

  private static let displayP3 = ColorDescription(
    matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3)

  /// A look takes this light.
  @Test func `softly limited neutrals are those of the table's picture, and rise`() throws {
    let look = try #require(VideoLook(from: .appleLog, to: Self.displayP3))
    let display = try #require(TransferFunction(.srgb))
    var last = -1.0
    for step in 0...1000 {
      let grey = SIMD3(repeating: Double(step) / 1000)
      let light = look.softLight(for: grey)
      #expect(light.max() - light.min() < 1e-6)
      #expect(abs(display.encode(light.x) - max(look.signal(for: grey).x, 0)) < 1e-6)
      #expect(light.x > last || light.x == 0)
      last = light.x
    }
  }

  @Test func `softly limited patches keep their hue from 0 to +6 EV, and few change`() throws {
    let look = try #require(VideoLook(from: .appleLog, to: Self.displayP3))
    let curve = try #require(appleLog), display = try #require(TransferFunction(.srgb))
    let toRec709 = RGBSpace.displayP3.matrix(to: .rec709)
    for patch in ColorChecker.patches {
      let reflectance = patch.linear(in: .rec2020)
      func color(_ stops: Double) -> Oklab {
        let signal = curve.encode(reflectance * exp2(stops)).clamped(lowerBound: .zero, upperBound: .one)
        return Oklab(linearRec709: toRec709 * look.softLight(for: signal))
      }
      let normal = color(0)
      for quarter in 1...24 {
        let brighter = color(Double(quarter) / 4)
        if brighter.chroma > 0.005, normal.chroma > 0.005 {
          #expect(Oklab.hueDifference(brighter, normal) < 5, "\(patch.name) at +\(Double(quarter) / 4) EV")
        }
      }
      let signal = curve.encode(reflectance)
      let change = display.encode(look.softLight(for: signal)) - look.signal(for: signal)
      // Code values of 8 bits. Cyan lies outside Rec.709; in the others, only the weakest channel is raised.
      let isStrong = ["orange", "orange yellow", "blue", "red"].contains(patch.name)
      let limit = patch.name == "cyan" ? 11 : isStrong ? 7 : 2.5
      #expect(255 * max(change.max(), -change.min()) < limit, "\(patch.name)")
    }
  }

  @Test func `other pairs and sizes are refused`() {
    #expect(
      throws: CamrecError(
        .usage,
        "cannot make a LUT from rec709 to rec709; choose from apple-log, slog3, vlog, logc3, logc4, flog2, clog3, "
          + "srgb, display-p3 to rec709, srgb, display-p3")
    ) { try LookupTable.make(from: .rec709, to: .rec709, size: 33) }
    #expect(throws: CamrecError.self) { try LookupTable.make(from: .appleLog, to: .rec2020, size: 33) }
    for size in [-1, 0, 1, 257] {
      #expect(throws: CamrecError(.usage, "a LUT has 2 to 256 points per side, not \(size)")) {
        try LookupTable.make(from: .appleLog, to: .rec709, size: size)
      }
    }
  }
}
