import Color
import Foundation
import Frames
import Looks
import Testing

/// What Documentation/Looks.md says of portra-400: how close a second computation comes, and what it does to skin,
/// greens, highlights and blacks. `scripts/derive-look --check` holds the rest.
@Suite struct PortraTests {
  /// The patches of a ColorChecker in linear Display P3, and encoded Display P3 with the look, computed with
  /// colour-science, from their spectra and without the table: `scripts/derive-look --patches`.
  private static let patches: [(name: String, light: SIMD3<Double>, shown: SIMD3<Double>)] = [
    ("dark skin", [0.1565831, 0.0867004, 0.0614495], [0.401858, 0.297185, 0.233134]),
    ("light skin", [0.5031901, 0.3067680, 0.2287865], [0.698361, 0.580741, 0.499334]),
    ("blue sky", [0.1256586, 0.1938705, 0.3223711], [0.370852, 0.461482, 0.574820]),
    ("foliage", [0.1121327, 0.1486395, 0.0601256], [0.334447, 0.368387, 0.236238]),
    ("blue flower", [0.2228544, 0.2179829, 0.4119157], [0.496775, 0.506291, 0.643353]),
    ("bluish green", [0.1938571, 0.5056893, 0.4086110], [0.481342, 0.661576, 0.628815]),
    ("orange", [0.6243876, 0.2161944, 0.0513517], [0.758072, 0.491665, 0.227062]),
    ("purplish blue", [0.0718600, 0.1049482, 0.3667271], [0.280051, 0.361353, 0.603651]),
    ("moderate red", [0.4604435, 0.1034638, 0.1251865], [0.661422, 0.376473, 0.371111]),
    ("purple", [0.0926877, 0.0459227, 0.1320903], [0.304901, 0.228631, 0.368423]),
    ("yellow green", [0.3822045, 0.5025160, 0.0868365], [0.618606, 0.647568, 0.317461]),
    ("orange yellow", [0.7045458, 0.3680987, 0.0585272], [0.801222, 0.603379, 0.246850]),
    ("blue", [0.0278880, 0.0483336, 0.2700098], [0.167358, 0.245878, 0.523086]),
    ("green", [0.1075886, 0.2938722, 0.0818088], [0.346177, 0.485726, 0.285633]),
    ("red", [0.3576159, 0.0452086, 0.0462173], [0.587299, 0.241727, 0.214760]),
    ("yellow", [0.8068468, 0.5844641, 0.0634666], [0.853444, 0.717023, 0.267111]),
    ("magenta", [0.4283126, 0.1028183, 0.2934689], [0.646216, 0.406299, 0.553659]),
    ("cyan", [0.0208575, 0.2396697, 0.3669368], [0.156087, 0.471468, 0.592217]),
    ("white 9.5", [0.9163801, 0.9151644, 0.8763624], [0.939551, 0.928672, 0.895819]),
    ("neutral 8", [0.5837204, 0.5906294, 0.5854462], [0.765246, 0.762017, 0.746692]),
    ("neutral 6.5", [0.3563489, 0.3606727, 0.3595100], [0.609006, 0.611182, 0.610255]),
    ("neutral 5", [0.1884751, 0.1921623, 0.1918913], [0.450816, 0.454369, 0.454863]),
    ("neutral 3.5", [0.0876187, 0.0899551, 0.0907616], [0.290409, 0.295586, 0.298787]),
    ("black 2", [0.0320440, 0.0319350, 0.0325413], [0.152758, 0.158734, 0.165599]),
  ]

  private let chain: LookChain
  private let curve: TransferFunction

  init() throws {
    chain = try LookChain(try TestLooks.portra.get().look, from: TestLooks.displayP3, to: TestLooks.displayP3)
    curve = try #require(TransferFunction(.srgb))
  }

  /// Of encoded Display P3.
  private func lab(_ shown: SIMD3<Double>) -> LabColor { LabColor(linear: curve.decode(shown), in: .displayP3) }

  /// A patch before and after.
  private func change(_ name: String) throws -> (before: LabColor, after: LabColor) {
    let patch = try #require(Self.patches.first { $0.name == name })
    return (LabColor(linear: patch.light, in: .displayP3), lab(chain.displayP3(linear: patch.light)))
  }

  /// From red to yellow and on, in degrees.
  private func hue(_ color: LabColor) -> Double { atan2(color.b, color.a) * 180 / .pi }

  /// A grey of this code of 8 bits with the look.
  private func grey(_ code: Int) -> SIMD3<Double> {
    chain.displayP3(linear: curve.decode(SIMD3(repeating: Double(code) / 255)))
  }

  /// Who changes the look raises its version, because films and photographs name it.
  @Test func version1_hasTheSameTableForEver() throws {
    let look = try TestLooks.portra.get().look
    #expect(look.version == 1)
    #expect(look.tableSHA256 == "f89a1863fcf9365cea19635f1c834ddcfc5f24c3193302b526c4e58acc5fe7d4")
  }

  /// It has to be at most 1 on average and 3 at most. Looks.md says 0.002 and 0.008.
  @Test func secondComputation_givesTheSameColours() {
    let differences = Self.patches.map { patch in
      ColorDifference.ciede2000(lab(chain.displayP3(linear: patch.light)), lab(patch.shown))
    }
    #expect(differences.count == 24)
    let mean = differences.reduce(0, +) / 24, greatest = differences.max() ?? 9
    #expect(mean < 0.005 && greatest < 0.02, "\(differences)")
  }

  @Test(arguments: ["dark skin", "light skin"]) func skin_turnsWarmAndNotRed(name: String) throws {
    let (before, after) = try change(name)
    let turn = hue(after) - hue(before)
    #expect(turn > 3 && turn < 12, "towards yellow by \(turn)°")
    #expect(after.a < before.a && after.b > before.b - 1, "\(before) becomes \(after)")
  }

  @Test(arguments: ["foliage", "green", "yellow green"]) func greens_areMutedAndALittleYellower(name: String) throws {
    let (before, after) = try change(name)
    #expect(after.chroma > 0.7 * before.chroma && after.chroma < 0.92 * before.chroma, "\(before) becomes \(after)")
    let turn = hue(before) - hue(after)
    #expect(turn > 2 && turn < 8, "towards yellow by \(turn)°")
  }

  @Test func highlights_endInCream() {
    for code in 200...255 {
      let color = lab(grey(code))
      #expect(color.b > 1.5 && color.b < 4 && abs(color.a) < 0.2, "\(code) becomes \(color)")
    }
    #expect(grey(255).max() < 0.98)
  }

  @Test func middleGreys_stayGrey() {
    for code in 85...150 { #expect(lab(grey(code)).chroma < 0.25, "\(code) becomes \(lab(grey(code)))") }
  }

  @Test func blacks_areLiftedAndSlightlyBlueCyan() {
    for code in 0...32 {
      let shown = grey(code) * 255, color = lab(grey(code))
      #expect(shown.x < shown.y && shown.y < shown.z, "\(code) becomes \(shown)")
      #expect(shown.z - shown.x < 6, "\(code) becomes \(shown)")
      #expect(color.b > -2.5 && color.b < -1 && color.a > -1 && color.a < -0.3, "\(code) becomes \(color)")
    }
    let black = grey(0) * 255
    #expect(black.min() > 5 && black.max() < 12, "\(black)")
  }

  /// Neither a step that is missing nor one that shows: bands would be steps of 0 beside steps of 2.
  @Test func greys_riseEvenly() {
    for code in 0..<255 {
      let step = (grey(code + 1) - grey(code)) * 255
      #expect(step.min() > 0.3 && step.max() < 1.2, "\(code): \(step)")
    }
  }
}
