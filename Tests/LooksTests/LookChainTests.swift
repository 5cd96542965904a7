import Color
import Frames
import Looks
import Testing

@Suite struct LookChainTests {
  /// From `Look` in Looks/derivation/chain.py with the shipped table: linear to encoded Display P3.
  private static let derived: [(SIMD3<Double>, SIMD3<Double>)] = [
    ([0, 0, 0], [0.023293000599369403, 0.03207209864631295, 0.040568600613623856]),
    ([1, 1, 1], [0.9778169646185789, 0.9689646270714741, 0.9475882898093855]),
    ([0.18, 0.18, 0.18], [0.43997668123343897, 0.44004224001247394, 0.4400878014331867]),
    ([0.6, 0.25, 0.12], [0.7481911670889194, 0.5327724582597143, 0.3612854366622995]),
    ([0.02, 0.3, 0.9], [0.21741438575924082, 0.5675409394175845, 0.8887866610054833]),
    ([0.9, 0.85, 0.7], [0.9215081923564683, 0.8949140699217752, 0.8218953956628148]),
    ([2, 0.5, -0.1], [0.9378882567473468, 0.6421978880934284, 0.0975007684339501]),
    ([0.05, 0.12, 0.03], [0.21108503036378803, 0.3014633430844082, 0.1516891897220137]),
  ]

  private static func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { max((a - b).max(), (b - a).max()) }

  @Test func shippedLook_isThatOfItsDerivation() throws {
    let look = try TestLooks.portra.get().look
    let chain = try LookChain(look, from: TestLooks.displayP3, to: TestLooks.displayP3)
    for (light, shown) in Self.derived {
      #expect(Self.distance(chain.displayP3(linear: light), shown) < 1e-9, "\(light)")
    }
  }

  private static func plain(exposure: Double, desaturation: Double) throws -> Look {
    let lattice = try #require(
      try LookupTable.sampled(size: 64, title: nil, reached: { _ in }, { $0 }).lattice)
    return Look(
      name: "plain", version: 1, title: "Plain", derivation: .init(command: "by hand", sources: []),
      exposure: exposure, curve: try #require(ToneCurve([.init(0, 0), .init(1, 1)])), table: lattice, tableSHA256: "",
      desaturation: .init(from: 0.5, to: 0.75, amount: desaturation),
      grain: .init(intensity: 0, size: Rational(1, 3000)))
  }

  @Test func desaturation_risesSmoothlyByLuma() throws {
    let rule = Look.Desaturation(from: 0.5, to: 0.75, amount: 0.4)
    #expect(rule.share(luma: 0) == 0 && rule.share(luma: 0.5) == 0)
    #expect(rule.share(luma: 0.625) == 0.2 && rule.share(luma: 0.5625) == 0.0625)
    #expect(rule.share(luma: 0.75) == 0.4 && rule.share(luma: 1) == 0.4)
  }

  private static let colors: [SIMD3<Double>] = [
    [0, 0, 0], [1, 1, 1], [0.2, 0.4, 0.9], [0.7, 0.1, 0.3], [0.5, 0.5, 0.5],
  ]

  @Test func lookThatDoesNothing_convertsColoursOnly() throws {
    let look = try Self.plain(exposure: 0, desaturation: 0)
    let same = try LookChain(look, from: .rec709, to: TestLooks.srgb)
    let wider = try LookChain(look, from: .rec709, to: TestLooks.displayP3)
    let back = try LookChain(look, from: TestLooks.displayP3, to: .rec709)
    for color in Self.colors {
      #expect(Self.distance(same.signal(for: color), color) < 1e-6)
      let returned = back.signal(for: wider.signal(for: color))
      // The weakest channel of two of them has 4 % and 2 % of the light of the strongest: it fades, and all stay near.
      let isStrong = color == [0.2, 0.4, 0.9] || color == [0.7, 0.1, 0.3]
      #expect(Self.distance(returned, color) < (isStrong ? 0.01 : 1e-6))
      #expect(returned.min() >= color.min() - 1e-6)
    }
    // Outside Rec.709 no channel falls below zero, and a channel above 1 stays so.
    let red = back.signal(for: [1, 0, 0])
    #expect(red.x > 1 && red.y > 0 && red.z > 0 && max(red.y, red.z) < 0.15)
    let toP3 = try LookupTable.make(from: TestLooks.srgb, to: TestLooks.displayP3, size: 2)
    #expect(Self.distance(wider.signal(for: [1, 0, 0]), toP3.evaluate([1, 0, 0], interpolation: .tetrahedral)) < 1e-6)
  }

  /// Webcams, and clips without tags, have the primaries of standard-definition television.
  @Test(arguments: [ColorPrimaries.smpte170m, .bt470bg], [TransferCharacteristic.rec709, .srgb])
  func televisionIsTaken(primaries: ColorPrimaries, transfer: TransferCharacteristic) throws {
    let look = try Self.plain(exposure: 0, desaturation: 0)
    let input = ColorDescription(matrix: .rec601, range: .limited, transfer: transfer, primaries: primaries)
    let chain = try LookChain(look, from: input, to: TestLooks.displayP3)
    #expect(Self.distance(chain.signal(for: [0.4, 0.4, 0.4]), [0.4, 0.4, 0.4]) < 1e-6)
    let curve = try #require(TransferFunction(.srgb)), space = try #require(RGBSpace(primaries))
    let light = space.matrix(to: .displayP3) * curve.decode([0.6, 0.3, 0.4])
    #expect(Self.distance(chain.signal(for: [0.6, 0.3, 0.4]), curve.encode(light)) < 1e-6)
    #expect(throws: CamrecError.self) { try LookChain(look, from: .rec709, to: input) }
  }

  @Test func exposureDoublesLight_andWhatIsAboveWhiteIsWhite() throws {
    let chain = try LookChain(
      try Self.plain(exposure: 1, desaturation: 0), from: TestLooks.srgb, to: TestLooks.srgb)
    let curve = try #require(TransferFunction(.srgb))
    let shown = chain.signal(for: SIMD3(repeating: curve.encode(0.18)))
    #expect(Self.distance(shown, SIMD3(repeating: curve.encode(0.36))) < 1e-6)
    #expect(Self.distance(chain.signal(for: SIMD3(repeating: curve.encode(0.6))), .one) < 1e-6)
  }

  /// At the middle between `from` and `to`, half of the amount.
  @Test func desaturationMovesTowardsLuma() throws {
    let chain = try LookChain(
      try Self.plain(exposure: 0, desaturation: 1), from: TestLooks.displayP3, to: TestLooks.displayP3)
    let luma: SIMD3<Double> = [0.22897, 0.69174, 0.07929]
    let red = 0.9, rest = (0.625 - luma.x * red) / (luma.y + luma.z)
    let shown = chain.signal(for: [red, rest, rest])
    #expect(Self.distance(shown, ([red, rest, rest] + SIMD3(repeating: 0.625)) / 2) < 1e-4)
    let bright = chain.signal(for: [0.7, 0.9, 0.6])
    #expect(bright.max() - bright.min() < 1e-6)
    #expect(Self.distance(chain.signal(for: [0.6, 0.3, 0.2]), [0.6, 0.3, 0.2]) < 1e-6)
  }

  /// Log footage first becomes the picture that `camrec lut make` makes of it, but for colours near the gamut's edge.
  @Test func log_isAPictureBeforeTheLook() throws {
    let look = try Self.plain(exposure: 0, desaturation: 0.5)
    let chain = try LookChain(look, from: .appleLog, to: TestLooks.displayP3)
    let picture = try #require(VideoLook(from: .appleLog, to: TestLooks.displayP3))
    let shown = try LookChain(look, from: TestLooks.displayP3, to: TestLooks.displayP3)
    for color in Self.colors {
      #expect(Self.distance(chain.signal(for: color), chain.displayP3(linear: picture.softLight(for: color))) < 1e-12)
    }
    for color in [SIMD3(0.5, 0.5, 0.5), [0.45, 0.5, 0.55], [0.55, 0.5, 0.45], [0.6, 0.6, 0.5], [1, 1, 1]] {
      #expect(Self.distance(chain.signal(for: color), shown.signal(for: picture.signal(for: color))) < 1e-6)
    }
  }

  @Test(arguments: [ColorDescription.rec709, TestLooks.displayP3])
  func log_staysInsideTheOutputsGamut(output: ColorDescription) throws {
    let look = try Self.plain(exposure: 1, desaturation: 0)
    let chain = try LookChain(look, from: .appleLog, to: output)
    let steps = (0...8).map { Double($0) / 8 }
    for red in steps {
      for green in steps {
        for blue in steps {
          let shown = chain.signal(for: [red, green, blue])
          #expect(shown.min() >= 0 && shown.max() < 1 + 1e-6, "\([red, green, blue])")
        }
      }
    }
  }

  @Test func otherColours_areRefused() throws {
    let look = try Self.plain(exposure: 0, desaturation: 0)
    let pq = ColorDescription(matrix: .rec2020, range: .limited, transfer: .pq, primaries: .rec2020)
    #expect(
      throws: CamrecError(
        .usage,
        "a look takes rec709, rec601, srgb, display-p3 and the cameras' logs, not pq with the primaries rec2020; if "
          + "the colours are others, set --color-in")
    ) { try LookChain(look, from: pq, to: .rec709) }
    #expect(
      throws: CamrecError(
        .usage,
        "a look gives rec709, srgb or display-p3, not rec709 with the primaries rec2020; choose one of these with "
          + "--color-out")
    ) { try LookChain(look, from: .rec709, to: .rec2020) }
  }
}
