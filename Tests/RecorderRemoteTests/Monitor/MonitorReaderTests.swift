import Frames
import RecorderAPI
import Testing

/// Messages out of bytes, whatever pieces these come in.
@Suite struct MonitorReaderTests {
  private func message(_ kind: MonitorKind, _ sequence: UInt64, _ payload: [UInt8]) -> MonitorMessage {
    MonitorMessage(MonitorHeader(kind, subscription: 1, sequence: sequence), payload: payload)
  }

  private func all(_ reader: inout MonitorReader) throws -> [MonitorMessage] {
    var messages: [MonitorMessage] = []
    while let message = try reader.next() { messages.append(message) }
    return messages
  }

  private func failure(_ reader: inout MonitorReader) -> CamrecError? {
    do throws(CamrecError) {
      while try reader.next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [1, 2, 7, 87, 88, 89, 1000, 100_000])
  func messages_areWhole_whateverTheyComeIn(_ step: Int) throws {
    let sent = [
      message(.text, 1, Array("{}".utf8)), message(.picture, 1, [UInt8](repeating: 0x58, count: 3000)),
      message(.measures, 2, []), message(.snapshot, 3, [1]), message(.picture, 4, Array(0...255)),
    ]
    let bytes = sent.flatMap(\.bytes)
    var reader = MonitorReader(), read: [MonitorMessage] = [], place = 0
    while place < bytes.count {
      reader.append(bytes[place..<min(bytes.count, place + step)])
      place += step
      read += try all(&reader)
    }
    #expect(read == sent)
  }

  @Test(arguments: [1, 50, 5000])
  func unknownKindAndLongerHeader_arePassedOver(_ step: Int) throws {
    var later = MonitorMessage(ExampleHeader.make(), payload: [1, 2, 3]).bytes
    later[0] = 100
    later.insert(contentsOf: [UInt8](repeating: 0x58, count: 12), at: MonitorHeader.length)
    var strange = message(MonitorKind(rawValue: 200), 1, [UInt8](repeating: 0x58, count: 300)).bytes
    strange[0] = 90
    strange.insert(contentsOf: [1, 1], at: MonitorHeader.length)
    let last = message(.text, 2, [9])
    let bytes = strange + later + strange + last.bytes
    var reader = MonitorReader(), read: [MonitorMessage] = [], place = 0
    while place < bytes.count {
      reader.append(bytes[place..<min(bytes.count, place + step)])
      place += step
      read += try all(&reader)
    }
    #expect(read == [MonitorMessage(ExampleHeader.make(), payload: [1, 2, 3]), last])
  }

  @Test func unknownKind_mayBeOfAnyLength() throws {
    var header = MonitorHeader(MonitorKind(rawValue: 4), sequence: 1)
    header.payloadLength = .max
    var bytes = header.bytes
    bytes[1] = 255
    var reader = MonitorReader()
    reader.append(bytes + [UInt8](repeating: 0, count: 100_000))
    #expect(try reader.next() == nil)
  }

  @Test func payloadAboveTheLimit_isRefused_andSoIsWhatFollows() {
    var reader = MonitorReader(payloadLimit: 10)
    reader.append(message(.picture, 1, [UInt8](repeating: 0, count: 10)).bytes)
    #expect(failure(&reader) == nil)
    reader.append(message(.picture, 2, [UInt8](repeating: 0, count: 11)).bytes)
    let refusal = CamrecError(
      .device, "a message of the recorder's monitor has 11 bytes, more than 10; ask for a smaller picture")
    #expect(failure(&reader) == refusal)
    reader.append(message(.picture, 3, []).bytes)
    #expect(failure(&reader) == refusal)
  }

  @Test func headerThatLies_isRefusedBeforeItsBytesCome() {
    var reader = MonitorReader(), header = MonitorHeader(.picture, sequence: 1)
    header.payloadLength = .max
    reader.append(header.bytes)
    let message = failure(&reader)?.message
    #expect(message?.hasPrefix("a message of the recorder's monitor has 18446744073709551615 bytes") == true)
  }

  @Test func laterVersion_isNamed() {
    var reader = MonitorReader(), header = MonitorHeader(.text, sequence: 1)
    header.version = 2
    reader.append(header.bytes)
    #expect(
      failure(&reader)
        == CamrecError(
          .device, "the recorder's monitor speaks version 2 of the protocol, but this program speaks version 1; use "
            + "the camrec that the recorder was started with"))
  }

  @Test func rubbish_isNoMessage() {
    var reader = MonitorReader()
    reader.append([UInt8](repeating: 0, count: 88))
    #expect(
      failure(&reader) == CamrecError(.device, "what came from the recorder's monitor is no message; reconnect"))
  }
}
