import Foundation
import Frames
import Sidecar
import TestKit
import Testing

@Suite struct SidecarDamageTests {
  private let sample: SidecarSample
  private let whole: [UInt8]
  /// Where each line begins behind the first, and the end.
  private let lineEnds: [Int]

  init() throws {
    sample = try SidecarSample()
    let bytes = try sample.write()
    whole = bytes
    lineEnds = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
  }

  @Test func `cut off at any byte, it is read to its last whole record`() throws {
    for length in 0..<whole.count {
      try sample.put(whole[..<length])
      // The closing brace makes a record whole; the newline only ends its line.
      guard length >= lineEnds[0] else {
        let error = #expect(throws: CamrecError.self) { try SidecarReader(path: sample.path) }
        #expect(error?.code == .input)
        continue
      }
      let (records, extent) = try sample.read()
      let expected = lineEnds.dropFirst().count { $0 <= length }
      #expect(records == Array(SidecarSample.records[..<expected]), "\(length) bytes")
      #expect(extent.damagedLines == 0 && extent.bytes == length)
      let begin = (lineEnds.last { $0 < length } ?? lineEnds[0]) + 1
      let torn = lineEnds.contains(length) ? 0 : max(0, length - begin)
      #expect(extent.tornBytes == Int64(torn), "\(length) bytes")
      let summary = try SidecarSummary(path: sample.path)
      #expect((summary.end == nil) == (expected < SidecarSample.records.count) && summary.extent == extent)
    }
  }

  @Test func `a tail of zeros is a record that is cut off`() throws {
    let begin = lineEnds[5] + 1
    try sample.put(Array(whole[..<begin]) + [UInt8](repeating: 0, count: 4096))
    let (records, extent) = try sample.read()
    #expect(records == Array(SidecarSample.records[..<5]) && extent.tornBytes == 4096)
  }

  /// A flipped bit costs the records of its line and of the one that it touches, and lets a wrong value through at
  /// worst; what follows is read.
  @Test func `any flipped bit costs two records at most`() throws {
    let frames = SidecarSample.records.count { if case .frame = $0 { true } else { false } }
    for position in whole.indices {
      for bit in [position % 8, (position + 5) % 8] {
        var bytes = whole
        bytes[position] ^= 1 << UInt8(bit)
        try sample.put(bytes)
        guard position > lineEnds[0] else {
          _ = try? SidecarSummary(path: sample.path)
          continue
        }
        let summary = try SidecarSummary(path: sample.path)
        #expect(summary.frames >= frames - 2, "bit \(bit) of byte \(position)")
      }
    }
  }

  @Test func `whatever the bytes are, it ends`() throws {
    var random = SplitMix(seed: 11)
    let pieces: [String] = [
      "{", "}", "[", "\"", "\\", ":", ",", "\n", "-", "e", ".", "9999999999999999999", "1e999", "null", "\"frame\":",
      "\"ticks\":", "{\"lost\":\"sound\",\"sample\":999999999999999999,\"count\":999999999999999999}\n",
      "{\"lost\":\"disk\",\"frame\":-999999999999999999,\"count\":999999999999999999}\n",
      "{\"frame\":4503599627370495}\n",
      "{\"frame\":12,\"ticks\":999999999999999999,\"iso\":1e308,\"exposureTime\":1e308}\n",
    ]
    for _ in 0..<1000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: lineEnds[0] + 1..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.insert(contentsOf: pieces[Int.random(in: pieces.indices, using: &random)].utf8, at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        }
      }
      try sample.put(bytes)
      let summary = try SidecarSummary(path: sample.path)
      #expect(summary.extent.bytes == bytes.count && summary.frames <= bytes.count / 10)
    }
  }

  @Test func `a line that never ends is one damaged line`() throws {
    let begin = lineEnds[2] + 1
    let endless = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    var bytes = Array(whole[..<begin])
    bytes += endless
    bytes.append(UInt8(ascii: "\n"))
    bytes += whole[begin...]
    try sample.put(bytes)
    let (records, extent) = try sample.read()
    #expect(records == SidecarSample.records && extent.damagedLines == 1 && extent.firstDamagedLine == 4)
  }
}
