import Color
import Testing

struct LUTFingerprintTests {
  private func table(
    size: Int = 5, scale: Double = 1, domainMax: Double = 1, _ change: (inout [Float]) -> Void = { _ in }
  ) -> LookupTable {
    var samples: [Float] = []
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size { for code in [red, green, blue] { samples.append(Float(Double(code) * scale)) } }
      }
    }
    change(&samples)
    return LookupTable(
      lattice: .init(size: size, samples: samples, domainMin: .zero, domainMax: SIMD3(repeating: domainMax)))
  }

  private func difference(_ table: LookupTable, _ other: LookupTable) -> String? {
    LUTFingerprint(table).difference(from: LUTFingerprint(other))
  }

  @Test func oneSampleHasItsPlace() {
    for (red, green, blue) in [(0, 0, 0), (4, 0, 2), (1, 3, 4)] {
      for channel in 0..<3 {
        let other = table { $0[(red + 5 * green + 25 * blue) * 3 + channel] += 0.001 }
        #expect(difference(other, table()) == "its point at red \(red), green \(green), blue \(blue) differs")
      }
    }
  }

  @Test func severalHaveTheirRange() {
    let other = table {
      $0[(1 + 5 * 2 + 25 * 3) * 3] += 0.1
      $0[(3 + 5 * 2 + 25 * 4) * 3] += 0.1
    }
    #expect(difference(other, table()) == "its points differ at red 1 to 3, green 2, blue 3 to 4")
    #expect(difference(table(scale: 0.9), table()) == "its points differ at red 0 to 4, green 0 to 4, blue 0 to 4")
  }

  @Test func sizesDomainsAndCurves() {
    #expect(difference(table(size: 3), table()) == "it has 3 points per side, not 5 points per side")
    let curves = LookupTable(curves: .init(size: 2, samples: [0, 0, 0, 1, 1, 1]), lattice: nil)
    #expect(difference(curves, table()) == "it has no 3D table, not 5 points per side")
    #expect(difference(table(domainMax: 2), table()) == "its 1D table, domain or ranges differ")
    let steeper = LookupTable(curves: .init(size: 2, samples: [0, 0, 0, 1, 1, 0.9]), lattice: nil)
    #expect(difference(steeper, curves) == "its 1D table, domain or ranges differ")
    let ranged = LookupTable(lattice: table().lattice, inputIsVideoRange: true)
    let both = table(domainMax: 2) { $0[0] = 0.5 }
    #expect(
      difference(both, table())
        == "its point at red 0, green 0, blue 0 differs; its 1D table, domain or ranges differ, too")
    #expect(difference(ranged, table()) == "its 1D table, domain or ranges differ")
  }

  @Test func titleAndTheSignOfZeroAreNoDifference() {
    let titled = LookupTable(title: "A look", lattice: table { $0[0] = -0.0 }.lattice, sha256: "ab")
    #expect(difference(titled, table()) == nil)
  }

  @Test func theTextIsReadAgain() throws {
    for table in [table(), LookupTable(curves: .init(size: 2, samples: [0, 0, 0, 1, 1, 1]), lattice: nil)] {
      let fingerprint = LUTFingerprint(table)
      #expect(LUTFingerprint(text: fingerprint.text) == fingerprint)
    }
    for text in [
      "", "5", "0 1234567", "1 12345678 12345678", "-1 12345678", "0 1234567g", "0  12345678", "0 12345678 ",
    ] { #expect(LUTFingerprint(text: text) == nil, "\(text)") }
  }
}
