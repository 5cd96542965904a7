import Exposure
import Frames
import Testing

@Suite struct StopsParsingTests {
  static let offsets: [(String, Double)] = [
    ("0", 0), ("0.5", 0.5), ("+1/3", 1.0 / 3), ("-1/3", -1.0 / 3), ("2/3", 2.0 / 3), ("-1 2/3", -5.0 / 3), ("16", 16),
    ("-16", -16), ("+2.25", 2.25),
    // As programs write what they have computed, or read in the state.
    ("0.3330078125", 0.3330078125), ("-0.3333333333333333", -1.0 / 3), ("0.30000000000000004", 0.3), ("1e-05", 0),
    ("-9.765625e-04", -1.0 / 1024), ("15.99999999999", 16),
  ]

  @Test(arguments: offsets)
  func reads(_ text: String, _ ev: Double) throws {
    #expect(try Stops(parsingBias: text) == Stops(ev))
  }

  @Test(arguments: [
    "", "+", "1/", "/3", "1/0", "1 2", "1 1/3 1/3", "--1", "+-1", "nan", "inf", "1e3", "16.1", "-17", "0x1", "1/3/3",
    " 1", "½", "1e-", "1e-1e-1", "e-1", "16.0001",
  ])
  func refuses(_ text: String) {
    #expect(
      throws: CamrecError(.usage, "an exposure offset is -16 to 16 EV, as in 0.5 or +1/3; this is '\(text)'")
    ) { try Stops(parsingBias: text) }
  }
}
