import Color
import Frames
import TestKit
import Testing

@Suite struct CubeMutationTests {
  /// Bytes that mean something to a reader, and some that do not.
  private static let spice = Array("0123456789.,+-eE# \t\r\n\"_LUT3DSIZEnaif\u{0}\u{1B}\u{FF}é".utf8)

  @Test func `a damaged file is read as a whole table or refused with its name`() {
    var generator = SplitMix(seed: 7)
    let header = ["TITLE \"t\"", "LUT_1D_SIZE 2", "LUT_3D_SIZE 2", "DOMAIN_MAX 2 2 2", "LUT_3D_INPUT_RANGE 0 1"]
    let whole = CubeText.cube(header, rows: ["0 0 0", "1 1 1"] + CubeText.rows(2))
    var refused = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = Self.spice.randomElement(using: &generator) ?? 0
        case 1: bytes.insert(Self.spice.randomElement(using: &generator) ?? 0, at: place)
        case 2: bytes.remove(at: place)
        default: bytes.removeSubrange(place..<min(place + 9, bytes.count))
        }
      }
      do {
        let table = try CubeText.read(bytes)
        let samples = (table.curves?.samples ?? []) + (table.lattice?.samples ?? [])
        #expect(samples.allSatisfy(\.isFinite) && !samples.isEmpty)
      } catch {
        refused += 1
        #expect(error.code == .input && error.message.hasPrefix("x.cube"))
      }
    }
    #expect(refused > 500 && refused < 1900)
  }
}
