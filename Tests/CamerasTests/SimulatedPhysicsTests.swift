import Cameras
import Color
import Foundation
import Frames
import Testing

/// The pictures against the formulas of exposure, noise, transfer and coding, computed here on their own.
@Suite struct SimulatedPhysicsTests {
  static let coded: [(transfer: String, format: String, primaries: ColorPrimaries, matrix: ColorMatrix)] = [
    ("rec709", "nv12", .rec709, .rec709), ("apple-log", "p010", .rec2020, .rec2020),
    ("slog3", "yuv422p10", .sGamut3Cine, .rec709), ("vlog", "yuyv", .vGamut, .rec709),
    ("logc3", "p010", .alexaWideGamut, .rec709), ("logc4", "yuv422p10", .alexaWideGamut4, .rec709),
    ("flog2", "p010", .rec2020, .rec709), ("clog3", "yuv422p10", .cinemaGamut, .rec709),
    ("srgb", "p010", .rec709, .rec709),
  ]

  /// Codes of 8 bits, as parts, of a reflectance in the camera's primaries.
  static func codes(_ rgb: SIMD3<Double>, _ color: ColorDescription) throws -> SIMD3<Double> {
    let transfer = try #require(TransferFunction(color.transfer))
    let clip = min(12, transfer.decode(1))
    let signal = transfer.encode(SIMD3(min(rgb.x, clip), min(rgb.y, clip), min(rgb.z, clip)))
    let ycc = color.matrix.yCbCr(signal)
    let scale = CodeScale(range: color.range, bitDepth: 8)
    return SIMD3(
      Double(scale.lumaOffset) + Double(scale.lumaSpan) * ycc.x,
      Double(scale.chromaOffset) + Double(scale.chromaSpan) * ycc.y,
      Double(scale.chromaOffset) + Double(scale.chromaSpan) * ycc.z)
  }

  @Test(arguments: coded, ["fast", "full"])
  func patchesComeOutAsComputed(
    coded: (transfer: String, format: String, primaries: ColorPrimaries, matrix: ColorMatrix), physics: String
  ) throws {
    let picture = try #require(
      SimulatedPicture.take(1, "transfer=\(coded.transfer),physics=\(physics)", format: coded.format).first)
    #expect(picture.color.primaries == coded.primaries && picture.color.matrix == coded.matrix)
    #expect(picture.color.transfer.rawValue == coded.transfer && picture.color.range == .limited)
    let space = try #require(RGBSpace(coded.primaries))
    let chart = SimulatedChart(width: 480, height: 270)
    let unit = Double(1 << (picture.layout.bitDepth - 8))
    for (index, patch) in ColorChecker.patches.enumerated() {
      let area = try #require(chart.patch(index))
      let expected = try Self.codes(patch.linear(in: space), picture.color)
      for component in 0..<3 {
        let mean = picture.codes(component, area).mean / unit
        #expect(
          abs(mean - expected[component]) < 0.4,
          "\(patch.name), component \(component): \(mean), not \(expected[component])")
      }
    }
  }

  @Test(arguments: [
    ("shutter=1/96,iso=100", 0.5), ("iso=400", 4.0), ("light=0.25", 0.25), ("shutter=1/96", 1.0), ("light=2", 2),
  ])
  func exposureIsLightTimesTimeTimesGain(options: String, factor: Double) throws {
    let picture = try #require(SimulatedPicture.take(1, "transfer=apple-log,\(options)", format: "p010").first)
    let chart = SimulatedChart(width: 480, height: 270)
    for (index, stops) in SimulatedChart.stepStops.enumerated() where stops >= -3 {
      let light = 0.18 * exp2(Double(stops)) * factor
      let mean = picture.codes(0, try #require(chart.step(index))).mean / 4
      let expected = try Self.codes(SIMD3(repeating: light), picture.color).x
      #expect(abs(mean - expected) < 0.5, "\(stops) stops: \(mean), not \(expected)")
    }
  }

  @Test(arguments: ["fast", "full"])
  func lightClipsWithoutNoise(physics: String) throws {
    let chart = SimulatedChart(width: 480, height: 270)
    for (transfer, options, white) in [("rec709", "", 235), ("apple-log", ",light=4", 235)] {
      let picture = try #require(SimulatedPicture.take(1, "physics=\(physics),transfer=\(transfer)\(options)").first)
      #expect(Set(picture.codes(0, try #require(chart.step(12)))) == [Double(white)])
    }
  }

  /// The variance of luma between frames, in 10-bit codes, against slope² · (shot + read) · Σ k².
  @Test(arguments: ["fast", "full"], [100.0, 800])
  func noiseGrowsWithTheSignal(physics: String, iso: Double) throws {
    let light = 100 / iso
    let pictures = try SimulatedPicture.take(
      5, "physics=\(physics),transfer=apple-log,iso=\(Int(iso)),light=\(light)", format: "p010")
    let transfer = try #require(TransferFunction(.appleLog))
    let chart = SimulatedChart(width: 480, height: 270)
    let color = try #require(pictures.first).color
    let electrons = 12_000 * 100 / iso
    let weights = color.matrix
    var linearVariances: [Double] = []
    for (index, stops) in SimulatedChart.stepStops.enumerated() where (-4...5).contains(stops) {
      let area = try #require(chart.step(index))
      let frames = pictures.map { $0.codes(0, area) }
      let measured = frames[0].indices.map { place in frames.map { $0[place] }.variance }.mean - 1.0 / 12
      let light = 0.18 * exp2(Double(stops))
      let slope = (transfer.encode(light * 1.001) - transfer.encode(light * 0.999)) / (light * 0.002)
      let linear = light / electrons + 16 / (electrons * electrons)
      let share = weights.kr * weights.kr + weights.kg * weights.kg + weights.kb * weights.kb
      let expected = slope * slope * linear * share * (219 * 4) * (219 * 4)
      // A deviation of half a code is the least that quantization lets through unchanged.
      guard expected > 0.25 else { continue }
      #expect(abs(measured / expected - 1) < 0.3, "\(stops) stops: \(measured), not \(expected)")
      linearVariances.append(measured / (slope * slope))
    }
    #expect(linearVariances.count >= 7)
    #expect(zip(linearVariances, linearVariances.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(arguments: [180.0, 360, 90])
  func blurIsShutterTimesSpeed(degrees: Double) throws {
    // The bar moves 160 pixels a second through a picture a third as large as the stage.
    let pictures = try SimulatedPicture.take(
      16, "shutter=\(degrees)deg,physics=fast", width: 640, height: 360, rate: "12", format: "yuv422p10")
    let transfer = try #require(TransferFunction(.rec709))
    var centers: [(frame: Int, x: Double)] = []
    for (frame, picture) in pictures.enumerated() {
      let light = (0..<640).map { x in
        transfer.decode(((225..<243).map { Double(picture.code(0, x, $0)) }.mean / 4 - 16) / 219)
      }
      let dark = light.sorted()[320]
      let bar = transfer.decode(Self.luma(0.72, 0.70, 0.62, transfer))
      let coverage = light.map { ($0 - dark) / (bar - dark) }
      guard coverage.prefix(4).allSatisfy({ $0 < 0.05 }), coverage.suffix(4).allSatisfy({ $0 < 0.05 }),
        coverage.contains(where: { $0 > 0.9 })
      else { continue }
      #expect(abs(coverage.reduce(0, +) - 16) < 0.3, "the light of a bar of 48 / 3 pixels is there once")
      let rising = Self.crossing(coverage, 0.8) - Self.crossing(coverage, 0.2)
      let expected = 0.6 * 160 * degrees / 360 / 12
      #expect(abs(rising - expected) < 0.35, "\(rising), not \(expected)")
      var (moment, sum) = (0.0, 0.0)
      for (x, part) in coverage.enumerated() where part > 0.05 {
        moment += (Double(x) + 0.5) * part
        sum += part
      }
      centers.append((frame, moment / sum))
    }
    #expect(centers.count >= 4)
    for (first, second) in zip(centers, centers.dropFirst()) where second.frame == first.frame + 1 {
      #expect(abs(second.x - first.x - 160.0 / 12) < 0.3, "160 pixels a second at 12 frames per second")
    }
  }

  private static func luma(_ red: Double, _ green: Double, _ blue: Double, _ transfer: TransferFunction) -> Double {
    ColorMatrix.rec709.yCbCr(transfer.encode(SIMD3(red, green, blue))).x
  }

  /// Where a rising line first crosses `level`, by linear interpolation.
  private static func crossing(_ line: [Double], _ level: Double) -> Double {
    guard let index = line.indices.dropFirst().first(where: { line[$0] >= level }) else { return .nan }
    return Double(index) - (line[index] - level) / (line[index] - line[index - 1])
  }
}
