import Color
import Testing

@Suite struct ColorTemperatureTests {
  /// Of the Planckian locus: illuminant A (CIE 015), and tabled values of Wyszecki and Stiles.
  @Test(arguments: [
    (2856.0, 0.4476, 0.4074), (4000, 0.3805, 0.3768), (5000, 0.3451, 0.3516), (6500, 0.3135, 0.3237),
    (10000, 0.2807, 0.2884),
  ])
  func theLocusIsMet(kelvin: Double, x: Double, y: Double) {
    let found = ColorTemperature.chromaticity(kelvin: kelvin)
    #expect(abs(found.x - x) < 0.001 && abs(found.y - y) < 0.001, "\(found)")
  }

  @Test func theSplinesMeet() {
    for kelvin in [2222.0, 4000] {
      let (below, above) = (
        ColorTemperature.chromaticity(kelvin: kelvin), ColorTemperature.chromaticity(kelvin: kelvin + 1)
      )
      #expect(abs(below.x - above.x) < 5e-4 && abs(below.y - above.y) < 5e-4)
    }
  }
}
