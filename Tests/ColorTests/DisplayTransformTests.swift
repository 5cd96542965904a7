import Color
import Foundation
import Frames
import Testing

@Suite struct DisplayTransformTests {
  private static func color(
    _ transfer: TransferCharacteristic, _ primaries: ColorPrimaries = .rec709
  ) -> ColorDescription {
    ColorDescription(matrix: .rec709, range: .limited, transfer: transfer, primaries: primaries)
  }

  private func close(_ one: SIMD3<Double>, _ other: SIMD3<Double>, _ most: Double = 1e-6) -> Bool {
    let difference = one - other
    return max(difference.max(), -difference.min()) <= most
  }

  @Test(arguments: [TransferCharacteristic.rec709, .srgb, .unspecified])
  func rec709AndSRGBStandAsTheyAre(transfer: TransferCharacteristic) {
    let transform = DisplayTransform(Self.color(transfer, transfer == .unspecified ? .unspecified : .rec709))
    for signal: SIMD3<Double> in [.zero, .one, [0.2, 0.5, 0.9], [1, 0, 0.02]] {
      #expect(close(transform.sRGB(signal), signal))
    }
    #expect(transform.sRGB([-0.2, 1.3, 0.5]) == transform.sRGB([0, 1, 0.5]))
  }

  /// `DisplayColor` makes the LUT.
  @Test func displayP3IsThatOfTheLUT() throws {
    let p3 = Self.color(.srgb, .displayP3), size = 9
    let lut = try LookupTable.make(from: p3, to: Self.color(.srgb), size: size), transform = DisplayTransform(p3)
    for point in 0..<size * size * size {
      let signal = SIMD3(Double(point % size), Double(point / size % size), Double(point / size / size)) / 8
      let expected = lut.evaluate(signal, interpolation: .tetrahedral).clamped(lowerBound: .zero, upperBound: .one)
      #expect(close(transform.sRGB(signal), expected), "\(signal)")
    }
  }

  /// Of each curve that has a scene's light, a grey card is 0.18 and a perfect diffuser white.
  @Test(arguments: [
    (TransferCharacteristic.linear, ColorPrimaries.rec709), (.appleLog, .rec2020), (.slog3, .sGamut3Cine),
    (.vlog, .vGamut), (.logC3, .alexaWideGamut), (.logC4, .alexaWideGamut4), (.fLog2, .rec2020),
    (.cLog3, .cinemaGamut),
  ])
  func greyAndWhiteOfSceneLight(transfer: TransferCharacteristic, primaries: ColorPrimaries) throws {
    let curve = try #require(TransferFunction(transfer)), srgb = try #require(TransferFunction(.srgb))
    let transform = DisplayTransform(Self.color(transfer, primaries))
    for light in [0.02, 0.18, 0.9, 1] {
      let shown = transform.sRGB(SIMD3(repeating: curve.encode(light)))
      #expect(close(shown, SIMD3(repeating: srgb.encode(light)), 1e-5), "\(light)")
    }
    #expect(close(transform.sRGB(.one), .one))
    #expect(close(transform.sRGB(.zero), .zero, 0.02))
  }

  /// SMPTE ST 2084 and BT.2408: 203 cd/m² are 58 % of PQ, 100 cd/m² 50.8 %, 1 cd/m² 15 %.
  @Test(arguments: [(0.580689, 203.0), (0.508078, 100), (0.149945, 1), (1, 10_000)])
  func pqIsInPartsOfReferenceWhite(signal: Double, luminance: Double) throws {
    let srgb = try #require(TransferFunction(.srgb)), transform = DisplayTransform(Self.color(.pq, .rec2020))
    #expect(abs(transform.light(signal) * 203 / luminance - 1) < 1e-4)
    let shown = transform.sRGB(SIMD3(repeating: signal))
    #expect(close(shown, SIMD3(repeating: srgb.encode(min(luminance / 203, 1))), 1e-4))
  }

  /// BT.2408: of HLG, 75 % is reference white, and a grey card of 18 % has 38 %, 26 cd/m² on such a display.
  @Test func hlgIsShownAsOnADisplayOf1000() throws {
    let srgb = try #require(TransferFunction(.srgb)), transform = DisplayTransform(Self.color(.hlg))
    #expect(close(transform.sRGB(SIMD3(repeating: 0.75)), .one, 0.002))
    #expect(close(transform.sRGB(SIMD3(repeating: 0.38)), SIMD3(repeating: srgb.encode(26.0 / 203)), 0.01))
    #expect(transform.sRGB(.zero) == .zero)
    // Scene light is the signal's square over 3 here; luminance alone decides on the gain, so that hues stay.
    let signal: SIMD3<Double> = [0.4, 0.2, 0.1], scene = signal * signal / 3
    let luminance = 0.2126 * scene.x + 0.7152 * scene.y + 0.0722 * scene.z
    let light = scene * (1000 * pow(luminance, 0.2) / 203), shown = transform.sRGB(signal)
    #expect(close(SIMD3(srgb.decode(shown.x), srgb.decode(shown.y), srgb.decode(shown.z)), light, 1e-4))
  }
}
