import ControlCodec
import Frames
import RecorderAPI
import TestKit
import Testing

/// Ten thousand lines, and as many headers, that nobody means: each is read or refused, and none traps.
@Suite struct MonitorFuzzTests {
  private static let seeds = [
    #"{"do":"hello","version":1,"id":1}"#, #"{"do":"pictures","subscription":1}"#,
    #"{"do":"pictures","subscription":2,"graded":false,"width":960,"crop":[0.25,0.25,0.5,0.5],"rate":30,"quality":75}"#,
    #"{"do":"measures","subscription":3,"graded":true,"rate":10}"#, #"{"do":"end","subscription":1}"#,
    #"{"do":"used","subscription":1,"sequence":17}"#, #"{"do":"used","subscription":1,"sequence":9223372036854775808}"#,
    #"{"do":"snapshot","subscription":4,"format":"png","width":320,"stale":true}"#,
    #"{"do":"snapshot","subscription":5,"quality":1e300,"width":1e300}"#,
    #"{"do":"pictures","subscription":1,"rate":"infinity","crop":["nan",0,1,1]}"#, "[[[[[[", "nonsense", "",
  ]

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where !bytes.isEmpty: bytes.remove(at: place)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: min(place, bytes.count))
      case 2 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 3: bytes.append(contentsOf: bytes.prefix(place))
      case 4: bytes = (0..<place).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 5 where !bytes.isEmpty: bytes.swapAt(place, 0)
      default: break
      }
    }
  }

  @Test func lines_areReadOrRefused() throws {
    var random = SplitMix(seed: 3900), read = 0
    for _ in 0..<10_000 {
      var line = Array((Self.seeds.randomElement(using: &random) ?? "").utf8)
      Self.mutate(&line, &random)
      do throws(CamrecError) {
        let request = try MonitorRequest(line: line)
        read += 1
        let again = request.line(id: 1)
        #expect(try MonitorRequest(line: again) == request)
      } catch {
        #expect(error.code == .usage)
      }
    }
    // Some mutations do no harm.
    #expect(read > 1000 && read < 9000)
  }

  @Test func headersAndPayloads_areReadPassedOverOrRefused() throws {
    var random = SplitMix(seed: 3901), read = 0, refused = 0
    let measures = MeasuresPayload(
      bitDepth: 8, luma: .init(repeating: 1, count: 256), red: .init(repeating: 2, count: 256),
      green: .init(repeating: 3, count: 256), blue: .init(repeating: 4, count: 256),
      levels: [.init(peak: -3, held: -2)])
    let text = MonitorText.greeting(camrec: "1", pid: 1, name: nil).payload
    for number in 0..<10_000 {
      let kind = MonitorKind(rawValue: UInt8.random(in: 0...4, using: &random))
      let payload = kind == .measures ? measures.bytes : kind == .text ? text : [1, 2, 3]
      var header = MonitorHeader(kind, subscription: 1, sequence: UInt64(number))
      header.payloadLength = UInt64(payload.count)
      var start = header.bytes, rest = payload
      Self.mutate(&start, &random)
      if Bool.random(using: &random) { Self.mutate(&rest, &random) }
      var reader = MonitorReader(payloadLimit: 1 << 16)
      do throws(CamrecError) {
        for bytes in [start, rest] {
          reader.append(bytes)
          while let message = try reader.next() {
            read += 1
            #expect(message.payload.count == Int(message.header.payloadLength))
            if message.header.kind == .measures { _ = MeasuresPayload(bytes: message.payload) }
            if message.header.kind == .text { _ = try? MonitorText(payload: message.payload) }
          }
        }
      } catch {
        refused += 1
        #expect(error.code == .device)
      }
      if let changed = MonitorHeader(bytes: start) { #expect(changed.bytes.count == MonitorHeader.length) }
    }
    #expect(read > 1000 && refused > 1000)
  }
}
