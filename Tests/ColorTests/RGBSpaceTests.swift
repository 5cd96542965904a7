import Color
import Frames
import Testing

@Suite struct RGBSpaceTests {
  static func distance(_ a: Matrix3, _ b: Matrix3) -> Double {
    let difference = [a.rows.0 - b.rows.0, a.rows.1 - b.rows.1, a.rows.2 - b.rows.2]
    return difference.map { max(abs($0.x), abs($0.y), abs($0.z)) }.max() ?? 0
  }

  @Test func `Rec.709 to XYZ has the luma weights of BT.709`() {
    let matrix = RGBSpace.rec709.toXYZ
    let published = Matrix3(
      rows: [0.412391, 0.357584, 0.180481], [0.212639, 0.715169, 0.072192], [0.019331, 0.119195, 0.950532])
    #expect(Self.distance(matrix, published) < 1e-6)
  }

  @Test func `Rec.2020 to Rec.709 is the matrix of BT.2087`() {
    let published = Matrix3(
      rows: [1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187])
    #expect(Self.distance(RGBSpace.rec2020.matrix(to: .rec709), published) < 5.1e-5)
  }

  @Test func `ARRI Wide Gamut 4 to XYZ is the maker's matrix`() throws {
    let published = Matrix3(
      rows: [0.704858, 0.129760, 0.115837], [0.254524, 0.781478, -0.036002], [0, 0, 1.089058])
    #expect(Self.distance(try #require(RGBSpace(.alexaWideGamut4)).toXYZ, published) < 1e-6)
  }

  @Test func `S-Gamut3.Cine and V-Gamut to Rec.709 are the makers' matrices`() throws {
    let cine = try #require(RGBSpace(.sGamut3Cine)).matrix(to: .rec709)
    #expect(
      Self.distance(
        cine,
        Matrix3(
          rows: [1.6269474, -0.5401386, -0.0868088], [-0.1785155, 1.4179409, -0.2394254],
          [-0.0444361, -0.1959199, 1.2403561])) < 1e-4)
    let vGamut = try #require(RGBSpace(.vGamut)).matrix(to: .rec709)
    #expect(
      Self.distance(
        vGamut,
        Matrix3(
          rows: [1.806576, -0.695697, -0.110879], [-0.170090, 1.305955, -0.135865],
          [-0.025206, -0.154468, 1.179674])) < 1e-4)
  }

  @Test(arguments: ColorPrimaries.allCases)
  func `white stays white and the way back is exact`(primaries: ColorPrimaries) {
    guard let space = RGBSpace(primaries) else {
      #expect(primaries == .unspecified)
      return
    }
    let there = space.matrix(to: .rec709)
    let white = there * .one
    #expect(max(abs(white.x - 1), abs(white.y - 1), abs(white.z - 1)) < 1e-12)
    #expect(Self.distance(RGBSpace.rec709.matrix(to: space) * there, .identity) < 1e-12)
  }

  @Test func `Bradford from D50 to D65 is Lindbloom's matrix`() {
    let published = Matrix3(
      rows: [0.9555766, -0.0230393, 0.0631636], [-0.0282895, 1.0099416, 0.0210077], [0.0122982, -0.0204830, 1.3299098])
    // Lindbloom's D65 is ASTM E308's (0.95047, 1.08883), which differs from xy (0.3127, 0.3290) by up to 2e-4 in XYZ.
    #expect(Self.distance(RGBSpace.adaptation(from: .d50, to: .d65), published) < 1e-3)
  }

  @Test func `white points that differ are adapted`() {
    let d50 = RGBSpace(
      red: RGBSpace.rec709.red, green: RGBSpace.rec709.green, blue: RGBSpace.rec709.blue, white: .d50)
    let white = d50.matrix(to: .rec709) * .one
    #expect(max(abs(white.x - 1), abs(white.y - 1), abs(white.z - 1)) < 1e-12)
  }
}
