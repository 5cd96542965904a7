import Exposure
import Testing

struct ThirdStopsTests {
  @Test(arguments: [
    (0, "0"), (1, "⅓"), (2, "⅔"), (3, "1"), (22, "7⅓"), (24, "8"), (-1, "−⅓"), (-3, "−1"), (-5, "−1⅔"),
  ])
  func aDistanceReadsAsOnALightMeter(_ count: Int, _ text: String) {
    #expect(ThirdStops(count).description == text)
    #expect(abs(ThirdStops(count).ev * 3 - Double(count)) < 1e-12)
  }
}
