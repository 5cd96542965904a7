import Color
import Drawing
import Frames
import Testing

@Suite struct LookPlotTests {
  private func pixel(_ picture: Picture, _ x: Int, _ y: Int) -> SIMD3<Int> {
    let at = 3 * (y * picture.width + x)
    return SIMD3(Int(picture.bytes[at]), Int(picture.bytes[at + 1]), Int(picture.bytes[at + 2]))
  }

  /// What lies on curves of one colour.
  private func isTrace(_ color: SIMD3<Int>) -> Bool { color == [115, 217, 153] }

  /// A grey picture whose luma rises by one from pixel to pixel.
  private static func ramp(_ width: Int, _ height: Int, from first: Int) -> Picture {
    let color = ColorDescription(matrix: .rec709, range: .full, transfer: .rec709, primaries: .rec709)
    let chroma = Array(repeating: 128, count: (width + 1) / 2 * ((height + 1) / 2))
    let samples = PictureSamples(
      width: width, height: height, chroma: .yuv420, luma: (0..<width * height).map { (first + $0) % 256 },
      cb: chroma, cr: chroma)
    return Picture(samples, layout: .nv12, color: color, width: width)
  }

  private static let red = LookPlot.Patch(
    before: [0.8, 0.1, 0.1], after: [0.6, 0.2, 0.2], labBefore: Oklab(lightness: 0.5, a: 0.16, b: 0.11),
    labAfter: Oklab(lightness: 0.5, a: 0.08, b: 0.055))

  private func plot(
    points: [SIMD2<Double>] = [[0, 0], [0.5, 0.5], [1, 1]], curve: @escaping (Double) -> Double = { $0 },
    greys: @escaping (Double) -> SIMD3<Double> = { SIMD3(repeating: $0) },
    patches: [LookPlot.Patch] = [LookPlotTests.red],
    grain: @escaping (Double) -> Double = { _ in 0.02 },
    blurs: [LookPlot.Blur] = [LookPlot.Blur(height: 1000, sigma: 1)],
    before: Picture = LookPlotTests.ramp(704, 396, from: 0),
    after: Picture = LookPlotTests.ramp(704, 396, from: 60)
  ) -> LookPlot {
    LookPlot(
      points: points, curve: curve, greys: greys, patches: patches, desaturation: { $0 < 0.5 ? 0 : 0.5 },
      grain: grain, blurs: blurs, before: before, after: after)
  }

  /// The chart goes from (120, 600) to (760, 200).
  @Test func `the tone curve goes through its points`() {
    let picture = plot(points: [[0.5, 0.25]], curve: { $0 / 2 }).picture(heading: [])
    #expect(picture.width == 1600 && picture.height == 2240 && picture.bytes.count == 3 * 1600 * 2240)
    #expect(isTrace(pixel(picture, 120 + 160, 600 - 50)))
    #expect(pixel(picture, 120 + 320, 600 - 100).min() > 230)
    #expect(pixel(picture, 120 + 160, 600 - 200).max() < 64)
  }

  /// The chart goes from (920, 600) to (1560, 200).
  @Test func `greys that stay are a white line at no change, and a channel that moves leaves it`() {
    let same = plot().picture(heading: [])
    #expect(pixel(same, 920 + 300, 400) == [255, 255, 255])
    let warm = plot(greys: { SIMD3($0 + 10 / 255.0, $0, $0) }).picture(heading: [])
    // From −1.1 to 11 code values.
    let red = pixel(warm, 920 + 300, 233), others = pixel(warm, 920 + 300, 563)
    #expect(red.x > 240 && red.y < 100 && red.z < 100)
    #expect(others.y > 240 && others.z > 240 && others.x < 100)
  }

  /// The chart of Oklab's a and b has its middle at (440, 990) and 1000 pixels a unit; the patches begin at (920, 770).
  @Test func `each patch is shown before and after`() {
    let picture = plot().picture(heading: [])
    let before: SIMD3<Int> = [204, 26, 26], after: SIMD3<Int> = [153, 51, 51]
    #expect(pixel(picture, 440 + 160, 990 - 110) == before && pixel(picture, 440 + 80, 990 - 55) == after)
    #expect(pixel(picture, 920 + 25, 770 + 50) == before && pixel(picture, 920 + 75, 770 + 50) == after)
  }

  /// The charts go from (120, 1640) to (480, 1380), from (660, …) to (1020, …) and from (1200, …) to (1560, …).
  @Test func `desaturation and grain have their curves`() {
    let picture = plot().picture(heading: [])
    #expect(isTrace(pixel(picture, 120 + 90, 1639)) && isTrace(pixel(picture, 120 + 270, 1510)))
    // 5.1 code values, from 0 to 5.61.
    #expect(isTrace(pixel(picture, 660 + 200, 1403)))
    // Half the power at 132.5 cycles; none above 500, half the rows.
    #expect(pixel(picture, 1200 + 60, 1511).x > 200)
    #expect(pixel(picture, 1400, 1639).x > 200 && pixel(picture, 1500, 1639).x < 100)
  }

  @Test func `test pictures are shown pixel by pixel`() {
    let picture = plot().picture(heading: [])
    for (x, y) in [(0, 0), (1, 0), (703, 0), (0, 395), (703, 395), (333, 222)] {
      let code = (y * 704 + x) % 256
      #expect(pixel(picture, 64 + x, 1806 + y) == SIMD3(repeating: code), "(\(x), \(y))")
      #expect(pixel(picture, 832 + x, 1806 + y) == SIMD3(repeating: (code + 60) % 256), "(\(x), \(y))")
    }
    let small = plot(before: Self.ramp(3, 2, from: 200)).picture(heading: [])
    #expect(pixel(small, 64 + 2, 1807) == SIMD3(repeating: 205) && pixel(small, 64 + 3, 1807).max() < 64)
  }

  @Test func `a heading takes room at the top only`() {
    let bare = plot().picture(heading: [])
    let long = String(repeating: "a long title ", count: 50)
    let titled = plot().picture(heading: [long, long, "never shown"])
    let top = 3 * 1600 * 130
    #expect(bare.bytes[..<top] != titled.bytes[..<top])
    #expect(bare.bytes[top...] == titled.bytes[top...])
  }

  @Test func `extreme looks are drawn, too`() {
    let wild = plot(
      points: [], curve: { $0 * 1e30 }, greys: { SIMD3(-1e30, $0, 1e30) },
      patches: Array(
        repeating: LookPlot.Patch(
          before: [-1e30, 0, 1e30], after: [1e30, 0, -1e30], labBefore: Oklab(lightness: 0, a: 1e30, b: -1e30),
          labAfter: Oklab(lightness: 0, a: -1e30, b: 1e30)), count: 40),
      grain: { _ in 0 }, blurs: [])
    #expect(wild.picture(heading: ["wild"]).bytes.contains(255))
  }

  // MARK: SVG

  @Test func `SVG has the same page, with both test pictures`() throws {
    var shown: [(Int, Int)] = []
    let text = try plot(before: Self.ramp(8, 6, from: 0)).svg(heading: ["R & D <1>", "facts"]) {
      picture throws(CamrecError) in
      shown.append((picture.width, picture.height))
      return [1, 2, 3]
    }
    #expect(shown.map { $0.0 } == [8, 704] && shown.map { $0.1 } == [6, 396])
    #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1600\" height=\"2240\""))
    #expect(text.hasSuffix("</svg>\n"))
    #expect(text.contains(">R &amp; D &lt;1&gt;</text>") && text.contains(">tone curve and its points</text>"))
    #expect(
      text.contains("<image x=\"64\" y=\"1806\" width=\"8\" height=\"6\" href=\"data:image/png;base64,AQID\"/>"))
    // The disc of the middle point, from (440, 400) to itself.
    #expect(text.contains("<path d=\"M440 400L440 400\" fill=\"none\" stroke=\"rgb(242,245,250)\" stroke-width=\"12\""))
    let lines = text.split(separator: "\n").dropFirst().dropLast()
    #expect(lines.allSatisfy { $0.hasSuffix("/>") || $0.hasSuffix("</text>") })
    #expect(!text.contains("nan") && !text.contains("inf"))
  }

  @Test func `a test picture that cannot be encoded ends it`() {
    #expect(throws: CamrecError.self) {
      try plot().svg(heading: []) { _ throws(CamrecError) in throw CamrecError(.defect, "no encoder") }
    }
  }
}
