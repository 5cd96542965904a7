import Frames
import RecorderAPI
import Testing

/// The bytes of a header, and what is read from them.
@Suite struct MonitorHeaderTests {
  @Test func bytes_areThoseOfThePage() {
    let hex = ExampleHeader.hex.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }
    #expect(hex.count == MonitorHeader.length)
    #expect(ExampleHeader.make().bytes == hex)
    #expect(MonitorHeader(bytes: hex) == ExampleHeader.make())
  }

  @Test func header_isReadBackFromASlice() {
    var header = MonitorHeader(.measures, subscription: .max, sequence: .max, payloadLength: .max)
    header.flags = MonitorFlags(rawValue: .max)
    header.exposureNanoseconds = .min
    header.frameNumber = .max
    (header.width, header.height) = (.max, 1)
    let bytes = [7, 7, 7] + header.bytes + [9]
    #expect(MonitorHeader(bytes: bytes[3...]) == header)
  }

  @Test func whatIsNotKnown_is0() throws {
    let header = MonitorHeader(.text, sequence: 1)
    #expect(header.bytes[16..<24].allSatisfy { $0 == 255 })
    #expect(header.bytes[24..<60].allSatisfy { $0 == 0 })
    let read = try #require(MonitorHeader(bytes: header.bytes))
    #expect(read.captureTime == nil && read.tapTime == nil && read.sendTime == nil && read.exposureTime == nil)
    #expect(read.frameNumber == -1 && read.iso == 0 && read.colors == .unspecified)
  }

  @Test func laterHeader_isReadAsFarAsItIsKnown() {
    var bytes = ExampleHeader.make().bytes
    bytes[0] = 120
    #expect(MonitorHeader(bytes: bytes + [UInt8](repeating: 255, count: 32)) == ExampleHeader.make())
  }

  @Test func fewerBytes_orAShorterHeader_areNone() {
    var bytes = ExampleHeader.make().bytes
    #expect(MonitorHeader(bytes: bytes.dropLast()) == nil)
    #expect(MonitorHeader(bytes: [UInt8]()) == nil)
    bytes[0] = 87
    #expect(MonitorHeader(bytes: bytes) == nil)
  }

  @Test(arguments: [nil, -1, 0, .nan, .infinity, 1e30] as [Double?])
  func exposureTimeWithoutAMeaning_isUnknown(_ seconds: Double?) {
    var header = ExampleHeader.make()
    header.exposureTime = seconds
    #expect(header.exposureTime == nil)
  }

  @Test func message_hasItsPayloadsLength() throws {
    let message = MonitorMessage(ExampleHeader.make(), payload: [1, 2, 3])
    #expect(message.header.payloadLength == 3)
    #expect(message.bytes == message.header.bytes + [1, 2, 3])
  }

  @Test func everyDescription_hasNumbersOfItsOwn() {
    for matrix in ColorMatrix.allCases {
      for range in ColorRange.allCases {
        for transfer in TransferCharacteristic.allCases {
          for primaries in ColorPrimaries.allCases {
            let color = ColorDescription(matrix: matrix, range: range, transfer: transfer, primaries: primaries)
            #expect(MonitorColors(color).description == color)
          }
        }
      }
    }
  }

  /// Numbers of ITU-T H.273 go up to 18 and 22; 255 is the last one of camrec's own.
  @Test func curvesAndGamutsOfCameras_areFrom128On() {
    let logs: [TransferCharacteristic] = [.appleLog, .slog3, .vlog, .logC3, .logC4, .fLog2, .cLog3]
    for transfer in TransferCharacteristic.allCases {
      #expect((transfer.monitorNumber >= 128) == logs.contains(transfer))
    }
    let gamuts: [ColorPrimaries] = [.sGamut3Cine, .vGamut, .alexaWideGamut, .alexaWideGamut4, .cinemaGamut]
    for primaries in ColorPrimaries.allCases { #expect((primaries.monitorNumber >= 128) == gamuts.contains(primaries)) }
  }

  @Test func redGreenAndBlue_areNoDescription() {
    let colors = MonitorColors.rgb(.srgb, .rec709)
    #expect(colors == MonitorColors(matrix: 0, range: 1, transfer: 13, primaries: 1))
    #expect(colors.description == nil && colors.transferCharacteristic == .srgb && colors.colorPrimaries == .rec709)
    #expect(MonitorColors(matrix: 1, range: 2, transfer: 1, primaries: 1).description == nil)
    let later = MonitorColors(matrix: 1, range: 0, transfer: 250, primaries: 250).description
    #expect(later?.transfer == .unspecified && later?.primaries == .unspecified)
  }
}
