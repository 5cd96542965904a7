public import Color
import Foundation
public import Frames

/// Draws what a look does: tone curve, greys through its table, the colours of a chart before and after, desaturation,
/// grain by luma and by frequency, and a test picture before and after.
///
/// The page has 1600 × 2240 pixels.
public struct LookPlot {
  /// A colour of the chart, before and after.
  public struct Patch: Sendable {
    /// R'G'B' as the page shows it.
    public let before: SIMD3<Double>, after: SIMD3<Double>
    public let labBefore: Oklab, labAfter: Oklab

    public init(before: SIMD3<Double>, after: SIMD3<Double>, labBefore: Oklab, labAfter: Oklab) {
      self.before = before
      self.after = after
      self.labBefore = labBefore
      self.labAfter = labAfter
    }
  }

  /// The sigma of the grain's blur in pictures of one height.
  public struct Blur: Sendable {
    /// Pixels.
    public let height: Int
    /// Pixels.
    public let sigma: Double

    public init(height: Int, sigma: Double) {
      self.height = height
      self.sigma = sigma
    }

    /// The power of white noise behind a Gaussian, 1 at frequency 0.
    ///
    /// - Parameter frequency: cycles per picture height.
    func power(_ frequency: Double) -> Double {
      let angle = 2 * Double.pi * frequency * sigma / Double(height)
      return exp(-angle * angle)
    }
  }

  private let points: [SIMD2<Double>]
  private let curve: (Double) -> Double
  private let greys: (Double) -> SIMD3<Double>
  private let patches: [Patch]
  private let desaturation: (Double) -> Double
  private let grain: (Double) -> Double
  private let blurs: [Blur]
  private let before: Picture
  private let after: Picture

  private static let width = 1600, height = 2240
  private static let letters = 16.0
  private static let ground: SIMD3<Double> = [0.08, 0.083, 0.09]
  private static let trace: SIMD3<Double> = [0.45, 0.85, 0.6]
  /// Code values of 8 bits that the greys' chart shows at most, either way.
  private static let mostChange = 255.0

  /// - Parameters:
  ///   - points: of the tone curve, in 0…1.
  ///   - curve: the tone curve, 0…1 to 0…1.
  ///   - greys: what the table makes of a grey, 0…1.
  ///   - patches: the chart's colours, six in a row; the first 24 are drawn.
  ///   - desaturation: the part of a colour that goes, 0…1, by luma.
  ///   - grain: sigma by luma, both as parts of the signal.
  ///   - blurs: up to three; each has a curve.
  ///   - before: the test picture, at most 704 × 396 pixels.
  ///   - after: the same with the look.
  public init(
    points: [SIMD2<Double>], curve: @escaping (Double) -> Double, greys: @escaping (Double) -> SIMD3<Double>,
    patches: [Patch], desaturation: @escaping (Double) -> Double, grain: @escaping (Double) -> Double, blurs: [Blur],
    before: Picture, after: Picture
  ) {
    for picture in [before, after] {
      precondition(picture.width <= 704 && picture.height <= 396, "test pictures have at most 704 × 396 pixels")
    }
    self.points = points
    self.curve = curve
    self.greys = greys
    self.patches = Array(patches.prefix(24))
    self.desaturation = desaturation
    self.grain = grain
    self.blurs = Array(blurs.prefix(3))
    self.before = before
    self.after = after
  }

  /// - Parameter heading: lines at the top: the first large, the second small.
  public func picture(heading: [String]) -> Picture {
    var picture = Picture(width: Self.width, height: Self.height, Self.ground)
    draw(on: &picture, heading: heading)
    return picture
  }

  /// The same as SVG.
  ///
  /// - Parameters:
  ///   - heading: as for `picture(heading:)`.
  ///   - png: makes a PNG of a picture, for the test pictures.
  /// - Throws: what `png` throws.
  public func svg(
    heading: [String], png: (Picture) throws(CamrecError) -> [UInt8]
  ) throws(CamrecError) -> String {
    var picture = VectorPicture(width: Self.width, height: Self.height, Self.ground)
    draw(on: &picture, heading: heading)
    return try picture.text(png: png)
  }

  private func draw(on page: inout some DrawingSurface, heading: [String]) {
    for (index, line) in heading.prefix(2).enumerated() {
      let letters = index == 0 ? 28.0 : Self.letters
      let room = Int(1520 / (letters * 5.6 / 6))
      page.write(String(line.prefix(room)), 40, 36 + 52 * Double(index), height: letters, [0.9, 0.91, 0.93])
    }
    drawCurve(on: &page)
    drawGreys(on: &page)
    drawHues(on: &page)
    drawPatches(on: &page)
    drawDesaturation(on: &page)
    drawGrain(on: &page)
    drawSpectrum(on: &page)
    drawPictures(on: &page)
  }

  // MARK: Parts

  private func drawCurve(on page: inout some DrawingSurface) {
    let chart = Chart(left: 120, top: 200, width: 640, height: 400, inputs: 0...1, outputs: 0...1)
    chart.drawFrame(on: &page, heading: "signal out, 0 to 1", letters: Self.letters)
    name(chart, "tone curve and its points", "signal in, 0 to 1 (encoded Display P3)", on: &page)
    page.path(chart.curve(curve), width: 3, Self.trace, .over)
    for point in points { page.disc(SIMD2(chart.x(point.x), chart.y(point.y)), width: 12, [0.95, 0.96, 0.98]) }
  }

  private func drawGreys(on page: inout some DrawingSurface) {
    func change(_ grey: Double) -> SIMD3<Double> { 255 * (greys(grey) - SIMD3(repeating: grey)) }
    var (low, high) = (-1.0, 1.0)
    for step in 0...256 {
      let value = change(Double(step) / 256)
      (low, high) = (min(low, value.min()), max(high, value.max()))
    }
    let outputs = max(1.1 * low, -Self.mostChange)...min(1.1 * high, Self.mostChange)
    let chart = Chart(left: 920, top: 200, width: 640, height: 400, inputs: 0...1, outputs: outputs)
    chart.drawGrid(on: &page, heading: "change of R, G, B in code values of 8 bits", letters: Self.letters)
    name(chart, "table: what it does to greys", "grey in, 0 to 1", on: &page)
    for channel in 0..<3 {
      page.path(chart.curve { change($0)[channel] }, width: 3, Chart.channels[channel], .lighten)
    }
  }

  /// Chroma and hue of each patch: the small disc is before, the large one after.
  private func drawHues(on page: inout some DrawingSurface) {
    // The same scale both ways.
    let chart = Chart(left: 120, top: 770, width: 640, height: 440, inputs: -0.32...0.32, outputs: -0.22...0.22)
    chart.drawGrid(on: &page, heading: "Oklab b, blue to yellow", letters: Self.letters)
    name(chart, "colour chart: small before, large after", "Oklab a, green to red", on: &page)
    for patch in patches {
      let from = place(patch.labBefore, chart), to = place(patch.labAfter, chart)
      page.path([from, to], width: 3, Chart.ink, .over)
      page.disc(from, width: 10, patch.before)
      page.disc(to, width: 18, patch.after)
    }
  }

  private func place(_ color: Oklab, _ chart: Chart) -> SIMD2<Double> {
    let a = min(max(color.a, chart.inputs.lowerBound), chart.inputs.upperBound)
    let b = min(max(color.b, chart.outputs.lowerBound), chart.outputs.upperBound)
    return SIMD2(chart.x(a), chart.y(b))
  }

  private func drawPatches(on page: inout some DrawingSurface) {
    let (left, top, across, down) = (920.0, 770.0, 107.0, 110.0)
    page.write("colour chart: before left, after right", left, top - 60, height: Self.letters, Chart.ink)
    for (index, patch) in patches.enumerated() {
      let x = left + across * Double(index % 6), y = top + down * Double(index / 6)
      page.fill(x, y, x + 50, y + 102, patch.before)
      page.fill(x + 50, y, x + 100, y + 102, patch.after)
    }
  }

  private func drawDesaturation(on page: inout some DrawingSurface) {
    let chart = Chart(left: 120, top: 1380, width: 360, height: 260, inputs: 0...1, outputs: 0...100)
    chart.drawGrid(on: &page, heading: "colour taken away, %", letters: Self.letters)
    name(chart, "desaturation", "luma, 0 to 1", on: &page)
    page.path(chart.curve { 100 * desaturation($0) }, width: 3, Self.trace, .over)
  }

  private func drawGrain(on page: inout some DrawingSurface) {
    var greatest = 1.0
    for step in 0...100 { greatest = max(greatest, 255 * grain(Double(step) / 100)) }
    let chart = Chart(left: 660, top: 1380, width: 360, height: 260, inputs: 0...1, outputs: 0...(1.1 * greatest))
    chart.drawGrid(on: &page, heading: "sigma, code values of 8 bits", letters: Self.letters)
    name(chart, "grain by luma", "luma, 0 to 1", on: &page)
    page.path(chart.curve { 255 * grain($0) }, width: 3, Self.trace, .over)
  }

  private func drawSpectrum(on page: inout some DrawingSurface) {
    let chart = Chart(left: 1200, top: 1380, width: 360, height: 260, inputs: 0...800, outputs: 0...1)
    chart.drawGrid(on: &page, heading: "power, 1 at most", letters: Self.letters)
    name(chart, "grain by frequency", "cycles per picture height", on: &page)
    for (index, blur) in blurs.enumerated() {
      // A picture has no frequencies above half its rows.
      let way = chart.curve(to: Double(blur.height) / 2) { blur.power($0) }
      page.path(way, width: 3, Chart.channels[index], .lighten)
      page.write(
        "\(blur.height) rows", 1548, 1394 + 24 * Double(index), height: 13, Chart.channels[index], .ending)
    }
  }

  private func drawPictures(on page: inout some DrawingSurface) {
    for (title, picture, left) in [
      ("test picture before", before, 64), ("test picture after, with grain", after, 832),
    ] {
      page.write(title, Double(left), 1770, height: Self.letters, Chart.ink)
      page.show(picture, left, 1806)
    }
  }

  /// Writes a chart's title above its heading, and what lies on its horizontal axis below the numbers.
  private func name(_ chart: Chart, _ title: String, _ axis: String, on page: inout some DrawingSurface) {
    page.write(title, chart.left, chart.top - 60, height: Self.letters, [0.9, 0.91, 0.93])
    page.write(
      axis, chart.left + chart.width / 2, chart.top + chart.height + 42, height: Self.letters, Chart.ink, .around)
  }
}
