import RecorderAPI
import Testing

/// Histograms and levels as bytes.
@Suite struct MeasuresPayloadTests {
  private func measures(_ bitDepth: Int, channels: Int) -> MeasuresPayload {
    func table(_ first: UInt32) -> [UInt32] { (0..<UInt32(1 << bitDepth)).map { $0 &* 65_537 &+ first } }
    return MeasuresPayload(
      bitDepth: bitDepth, luma: table(1), red: table(2), green: table(3), blue: table(4),
      levels: (0..<channels).map { MeasuresPayload.Level(peak: -Float($0), held: -.infinity) })
  }

  @Test(arguments: [8, 10, 12, 16], [0, 1, 2, 8])
  func measures_areReadBack(_ bitDepth: Int, _ channels: Int) {
    let measures = measures(bitDepth, channels: channels), bytes = measures.bytes
    #expect(bytes.count == 8 + 16 * (1 << bitDepth) + 8 * channels)
    #expect(MeasuresPayload(bytes: bytes) == measures)
    #expect(MeasuresPayload(bytes: bytes.dropLast()) == nil)
  }

  @Test func bytes_areInTheOrderOfThePage() {
    let bytes = measures(8, channels: 1).bytes
    #expect(Array(bytes[..<16]) == [8, 0, 4, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0])
    for (table, first) in [UInt8(1), 2, 3, 4].enumerated() { #expect(bytes[8 + 1024 * table] == first) }
    #expect(Array(bytes.suffix(8)) == [0, 0, 0, 0x80, 0, 0, 0x80, 0xff])
  }

  @Test func furtherTables_andWhatFollows_arePassedOver() {
    let measures = measures(8, channels: 2)
    var bytes = measures.bytes
    bytes.insert(contentsOf: [UInt8](repeating: 0xee, count: 2 * 1024), at: 8 + 4 * 1024)
    bytes[2] = 6
    #expect(MeasuresPayload(bytes: bytes + [1, 2, 3]) == measures)
  }

  @Test(arguments: [(0, 7), (0, 17), (0, 255), (1, 255), (2, 3), (3, 255), (5, 255)] as [(Int, UInt8)])
  func otherNumbers_areNoMeasures(_ place: Int, _ value: UInt8) {
    var bytes = measures(8, channels: 2).bytes
    bytes[place] = value
    #expect(MeasuresPayload(bytes: bytes) == nil)
  }
}
