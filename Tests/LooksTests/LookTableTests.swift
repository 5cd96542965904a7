import Color
import Frames
import Looks
import Testing

@Suite struct LookTableTests {
  private static func footage(_ transfer: TransferCharacteristic, _ primaries: ColorPrimaries) -> ColorDescription {
    ColorDescription(matrix: .rec709, range: .limited, transfer: transfer, primaries: primaries)
  }

  struct Case: Sendable, CustomStringConvertible {
    let from: ColorDescription
    let to: ColorDescription
    let size: Int
    /// Code values of 8 bits.
    let greatest: Double
    let mean: Double

    var description: String {
      "\(from.transfer.rawValue) \(from.primaries.rawValue) to \(to.primaries.rawValue), \(size) points"
    }
  }

  /// Documentation/Looks.md has what 400 000 colours gave. From some logs, the display's curve is so steep in colours
  /// near the edge of the output's gamut that 65 points are not quite enough for 1 code value there.
  @Test(arguments: [
    Case(from: .rec709, to: .rec709, size: 33, greatest: 1, mean: 0.1),
    Case(from: .rec709, to: .rec709, size: 65, greatest: 0.3, mean: 0.01),
    Case(from: .rec709, to: TestLooks.displayP3, size: 33, greatest: 1, mean: 0.1),
    Case(from: TestLooks.displayP3, to: TestLooks.displayP3, size: 33, greatest: 1, mean: 0.1),
    Case(from: TestLooks.displayP3, to: TestLooks.displayP3, size: 65, greatest: 0.3, mean: 0.01),
    Case(from: TestLooks.displayP3, to: .rec709, size: 65, greatest: 1, mean: 0.05),
    Case(from: .appleLog, to: .rec709, size: 33, greatest: 4, mean: 0.2),
    Case(from: .appleLog, to: .rec709, size: 65, greatest: 1, mean: 0.05),
    Case(from: .appleLog, to: TestLooks.displayP3, size: 65, greatest: 1, mean: 0.05),
    Case(from: footage(.slog3, .sGamut3Cine), to: .rec709, size: 65, greatest: 1.3, mean: 0.05),
    Case(from: footage(.slog3, .sGamut3Cine), to: TestLooks.displayP3, size: 65, greatest: 1, mean: 0.05),
    Case(from: footage(.vlog, .vGamut), to: .rec709, size: 65, greatest: 1.3, mean: 0.05),
    Case(from: footage(.logC3, .alexaWideGamut), to: .rec709, size: 65, greatest: 1.4, mean: 0.05),
    Case(from: footage(.logC3, .alexaWideGamut), to: TestLooks.displayP3, size: 65, greatest: 1, mean: 0.05),
    Case(from: footage(.logC4, .alexaWideGamut4), to: .rec709, size: 65, greatest: 1.8, mean: 0.05),
    Case(from: footage(.fLog2, .rec2020), to: .rec709, size: 65, greatest: 1.1, mean: 0.05),
    Case(from: footage(.fLog2, .rec2020), to: TestLooks.displayP3, size: 65, greatest: 1, mean: 0.05),
    Case(from: footage(.cLog3, .cinemaGamut), to: .rec709, size: 65, greatest: 2.1, mean: 0.05),
  ])
  func tableIsNearTheLook(_ found: Case) throws {
    let chain = try LookChain(try TestLooks.portra.get().look, from: found.from, to: found.to)
    let deviation = try LookTable(chain, title: "test", size: found.size).deviation(count: 60_000)
    print("\(found): at most \(deviation.greatest) code values of 8 bits, \(deviation.mean) on average")
    #expect(deviation.greatest <= found.greatest, "\(found): at most \(deviation.greatest)")
    #expect(deviation.mean <= found.mean, "\(found): \(deviation.mean) on average")
    #expect(deviation.greatest > 0.01)
  }

  @Test func otherSizes_areRefused() throws {
    let chain = try LookChain(try TestLooks.portra.get().look, from: .rec709, to: .rec709)
    #expect(throws: CamrecError(.usage, "a look's LUT has 33 or 65 points per side, not 17")) {
      try LookTable(chain, title: "test", size: 17)
    }
  }
}
