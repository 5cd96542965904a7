import Color
import Testing

@Suite struct ColorDifferenceTests {
  /// The table of Sharma, Wu, Dalal (2005): two colours and their ΔE00 to four decimals.
  static let pairs: [(SIMD3<Double>, SIMD3<Double>, Double)] = [
    ([50.0000, 2.6772, -79.7751], [50.0000, 0.0000, -82.7485], 2.0425),
    ([50.0000, 3.1571, -77.2803], [50.0000, 0.0000, -82.7485], 2.8615),
    ([50.0000, 2.8361, -74.0200], [50.0000, 0.0000, -82.7485], 3.4412),
    ([50.0000, -1.3802, -84.2814], [50.0000, 0.0000, -82.7485], 1.0000),
    ([50.0000, -1.1848, -84.8006], [50.0000, 0.0000, -82.7485], 1.0000),
    ([50.0000, -0.9009, -85.5211], [50.0000, 0.0000, -82.7485], 1.0000),
    ([50.0000, 0.0000, 0.0000], [50.0000, -1.0000, 2.0000], 2.3669),
    ([50.0000, -1.0000, 2.0000], [50.0000, 0.0000, 0.0000], 2.3669),
    ([50.0000, 2.4900, -0.0010], [50.0000, -2.4900, 0.0009], 7.1792),
    ([50.0000, 2.4900, -0.0010], [50.0000, -2.4900, 0.0010], 7.1792),
    ([50.0000, 2.4900, -0.0010], [50.0000, -2.4900, 0.0011], 7.2195),
    ([50.0000, 2.4900, -0.0010], [50.0000, -2.4900, 0.0012], 7.2195),
    ([50.0000, -0.0010, 2.4900], [50.0000, 0.0009, -2.4900], 4.8045),
    ([50.0000, -0.0010, 2.4900], [50.0000, 0.0010, -2.4900], 4.8045),
    ([50.0000, -0.0010, 2.4900], [50.0000, 0.0011, -2.4900], 4.7461),
    ([50.0000, 2.5000, 0.0000], [50.0000, 0.0000, -2.5000], 4.3065),
    ([50.0000, 2.5000, 0.0000], [73.0000, 25.0000, -18.0000], 27.1492),
    ([50.0000, 2.5000, 0.0000], [61.0000, -5.0000, 29.0000], 22.8977),
    ([50.0000, 2.5000, 0.0000], [56.0000, -27.0000, -3.0000], 31.9030),
    ([50.0000, 2.5000, 0.0000], [58.0000, 24.0000, 15.0000], 19.4535),
    ([50.0000, 2.5000, 0.0000], [50.0000, 3.1736, 0.5854], 1.0000),
    ([50.0000, 2.5000, 0.0000], [50.0000, 3.2972, 0.0000], 1.0000),
    ([50.0000, 2.5000, 0.0000], [50.0000, 1.8634, 0.5757], 1.0000),
    ([50.0000, 2.5000, 0.0000], [50.0000, 3.2592, 0.3350], 1.0000),
    ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    ([63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.2630),
    ([61.2901, 3.7196, -5.3901], [61.4292, 2.2480, -4.9620], 1.8731),
    ([35.0831, -44.1164, 3.7933], [35.0232, -40.0716, 1.5901], 1.8645),
    ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
    ([36.4612, 47.8580, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146),
    ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
    ([90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381),
    ([6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377),
    ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
  ]

  static func color(_ lab: SIMD3<Double>) -> LabColor { LabColor(lightness: lab.x, a: lab.y, b: lab.z) }

  @Test(arguments: pairs.indices)
  func `the differences are those of Sharma, Wu and Dalal, whichever colour comes first`(index: Int) {
    let (first, second, published) = Self.pairs[index]
    let difference = ColorDifference.ciede2000(Self.color(first), Self.color(second))
    #expect(abs(difference - published) < 0.5001e-4)
    let turnedRound = ColorDifference.ciede2000(Self.color(second), Self.color(first))
    #expect(abs(turnedRound - difference) < 1e-12)
  }

  @Test func `equal colours do not differ, and black and white differ by 100`() {
    for lab in Self.pairs.flatMap({ [$0.0, $0.1] }) {
      #expect(ColorDifference.ciede2000(Self.color(lab), Self.color(lab)) == 0)
    }
    let blackToWhite = ColorDifference.ciede2000(Self.color([0, 0, 0]), Self.color([100, 0, 0]))
    #expect(abs(blackToWhite - 100) < 1e-9)
  }

  @Test func `L*a*b* of sRGB's primaries is as published`() {
    // Lindbloom's, whose white is ASTM E308's and not xy (0.3127, 0.3290); that makes a hundredth.
    let published: [(SIMD3<Double>, SIMD3<Double>)] = [
      ([1, 0, 0], [53.2408, 80.0925, 67.2032]), ([0, 1, 0], [87.7347, -86.1827, 83.1793]),
      ([0, 0, 1], [32.2970, 79.1875, -107.8602]),
    ]
    for (rgb, lab) in published {
      let color = LabColor(linear: rgb, in: .rec709)
      let off = SIMD3(color.lightness, color.a, color.b) - lab
      #expect(off.min() > -0.01 && off.max() < 0.01, "\(rgb): \(color)")
    }
  }

  @Test func `neutrals have the lightness of CIE 15 under every white point`() {
    // Above and below the knee, at black, and below it: there 24389/27 times Y.
    let lightness: [(Double, Double)] = [(1, 100), (0.18, 49.496108), (0.005, 4.516481), (0, 0), (-0.005, -4.516481)]
    let d50 = RGBSpace(red: RGBSpace.rec709.red, green: RGBSpace.rec709.green, blue: RGBSpace.rec709.blue, white: .d50)
    for space in [RGBSpace.rec709, .rec2020, .displayP3, d50] {
      for (light, expected) in lightness {
        let color = LabColor(linear: SIMD3(repeating: light), in: space)
        #expect(abs(color.lightness - expected) < 1e-6)
        #expect(color.chroma < 1e-9)
      }
    }
  }
}
