import Color
import TestKit
import Testing

@Suite struct CubeNumberTests {
  /// Reads numbers as the samples of curves.
  private func read(_ numbers: [String]) throws -> [Float] {
    var numbers = numbers
    while numbers.count < 6 || numbers.count % 3 != 0 { numbers.append("0") }
    let rows = stride(from: 0, to: numbers.count, by: 3).map { numbers[$0..<$0 + 3].joined(separator: " ") }
    return try CubeText.read(["LUT_1D_SIZE \(rows.count)"] + rows).curves?.samples ?? []
  }

  private func expectNearest(_ numbers: [String]) throws {
    for (text, sample) in zip(numbers, try read(numbers)) {
      let nearest = try #require(Float(text))
      #expect(sample.bitPattern == nearest.bitPattern, "\(text)")
    }
  }

  @Test func `numbers at the joints of the fast way are rounded to the nearest float`() throws {
    try expectNearest([
      "0", "-0", "+1", "1", "0.1", "-0.1", "1e-5", "1E+2", "00012.50", "123456789", "0.000000", "1e22", "1e23", "1e-22",
      "9007199254740992", "9007199254740993", "12345678901234567890123", "0.1234567890123456789012345678901234567890",
      // Half-way between two floats, a hair above, a hair below.
      "16777217", "16777219", "16777217.0000000001", "16777216.9999999999", "1.00000005960464477539062500000",
      "1.00000005960464477539062500001", "1.00000005960464477539062499999", "0.500000029802322387695312500",
      // Nearest to a double that lies half-way between two floats, while the number itself does not.
      "8.904821872711182", "0.6690836250782013", "0.7122187912464142", "1.328976809978485", "0.1691799983382225",
      // The smallest normal float, subnormal ones, the largest float and what underflows.
      "1.17549435e-38", "1.17549429e-38", "1e-40", "1.4e-45", "7.1e-46", "7.0e-46", "1e-60", "3.4028235e38",
      "0.00000000000000000000000000000000000000000000001", "0e99999999999", "340282346638528859811704183484516925440",
    ])
  }

  @Test func `numbers as cubes hold them are rounded to the nearest float`() throws {
    var generator = SplitMix(seed: 1)
    var numbers: [String] = []
    for digits in 1...20 {
      for _ in 0..<150 {
        let fraction = String(UInt64.random(in: 0...999_999_999_999_999_999, using: &generator))
        numbers.append("\(Int.random(in: -2...2)).\(fraction.prefix(digits))")
      }
    }
    for _ in 0..<3000 { numbers.append("\(Float(bitPattern: UInt32.random(in: 0..<0x7F80_0000, using: &generator)))") }
    try expectNearest(numbers)
  }

  @Test func `domains are read in double precision`() throws {
    let header = ["LUT_3D_SIZE 5", "DOMAIN_MIN -0.1 1e-3 0", "DOMAIN_MAX 1.1 16.293 0.3"]
    let table = try CubeText.read(CubeText.cube(header))
    #expect(table.lattice?.domainMin == [-0.1, 1e-3, 0])
    #expect(table.lattice?.domainMax == [1.1, 16.293, 0.3])
  }
}
