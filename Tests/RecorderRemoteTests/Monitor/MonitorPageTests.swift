import ControlCodec
import Foundation
import Frames
import RecorderAPI
import TestKit
import Testing

/// `Documentation/MonitorProtocol.md` says what the codec does, and its program in Python reads what that sends.
@Suite struct MonitorPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  private func page() throws -> String { try text("Documentation/MonitorProtocol.md") }

  /// The cells of the rows of a table that begin with this one.
  private func cells(_ first: String) throws -> [[Substring]] {
    try page().split(separator: "\n").filter { $0.hasPrefix("| \(first) |") }.map { row in
      row.split(separator: "|").map { $0.drop { $0 == " " } }
    }
  }

  @Test func hexExample_isTheBytesOfItsHeader() throws {
    let rows = try page().split(separator: "\n").filter { $0.wholeMatch(of: #/ {4}(?:[0-9a-f]{2} ?)+/#) != nil }
    let bytes = rows.flatMap { $0.split(separator: " ") }.compactMap { UInt8($0, radix: 16) }
    #expect(bytes == ExampleHeader.make().bytes)
  }

  @Test func requestsOfThePage_areRead() throws {
    let lines = try page().split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("{\"do\"") }
    #expect(lines.count == 5)
    for line in lines { #expect(throws: Never.self) { try MonitorRequest(line: line.utf8) } }
  }

  /// What a request takes is in no list that this test could read: the refusal of a stranger names it.
  @Test func everyRequestAndMember_isOnThePage() throws {
    let page = try page()
    for word in MonitorRequest.Word.allCases {
      #expect(page.contains("| `\(word.rawValue)` | "))
      let refusal = #expect(throws: CamrecError.self) {
        try MonitorRequest(line: #"{"do":"\#(word.rawValue)","~":1}"#.utf8)
      }
      let names = (refusal?.message ?? "").matches(of: /"(\w+)"/).map(\.output.1)
      #expect(!names.isEmpty)
      for name in names { #expect(page.contains("`\(name)`"), "\(name) of \(word.rawValue)") }
    }
    for event in MonitorText.Event.allCases { #expect(page.contains("- `\(event.rawValue)`: ")) }
  }

  @Test func limitsOfThePage_areThoseOfTheProtocol() throws {
    let page = try page().replacing("\n", with: " ")
    let rates = "\(MonitorProtocol.rates.lowerBound) to \(Int(MonitorProtocol.rates.upperBound))"
    for sentence in [
      "at most \(MonitorProtocol.lineLimit) bytes", "at most \(MonitorProtocol.payloadLimit >> 20) MiB",
      "at most \(MonitorProtocol.pieceLimit >> 10) KiB", "at most \(MonitorProtocol.mostSubscribers) subscribers",
      "at most \(MonitorProtocol.mostSubscriptions) subscriptions",
      "says nothing for \(MonitorProtocol.patience.components.seconds) s",
      "up to \(MonitorProtocol.settling.components.seconds) s until the exposure has settled",
      "\(MonitorProtocol.widths.lowerBound) to \(MonitorProtocol.widths.upperBound)",
      "\(rates) | \(Int(PictureRequest.defaultRate)) |", "\(rates) | \(Int(MeasuresRequest.defaultRate)) |",
      "upper left corner", "| \(PictureRequest.defaultWidth) |",
      "\(MonitorProtocol.qualities.lowerBound) to \(MonitorProtocol.qualities.upperBound) | "
        + "\(PictureRequest.defaultQuality) |",
      "not with `png` | \(SnapshotRequest.defaultQuality) |", "length of the header: \(MonitorHeader.length)",
    ] { #expect(page.contains(sentence), "\(sentence)") }
    #expect(MonitorProtocol.mostUnderWay == 2 && page.contains("at most two pictures or measures are under way"))
  }

  @Test func numbersOfColours_areAllThere() throws {
    func numbers(_ name: String) throws -> Set<UInt8> {
      let row = try #require(try cells(name).first?.last)
      return Set(row.split(whereSeparator: { ",; ".contains($0) }).compactMap { UInt8($0) })
    }
    let transfers = TransferCharacteristic.allCases.map(\.monitorNumber)
    // "Canon Log 3" and "ALEXA Wide Gamut 4" are names.
    #expect(try numbers("transfer function").subtracting([3]) == Set(transfers))
    #expect(try numbers("primaries").subtracting([3, 4]) == Set(ColorPrimaries.allCases.map(\.monitorNumber)))
    #expect(try numbers("matrix") == Set(ColorMatrix.allCases.map(\.monitorNumber) + [0, 2]))
  }

  /// Where it has to find the socket, a recorder that was killed has left one before it.
  @Test(arguments: [false, true]) func programInPython_savesPictures(finds: Bool) throws {
    let name = "Examples/monitor.py", program = try text(name)
    let format = "<HBBIQqqqqqf4BIIHHIQ"
    let page = try page()
    #expect(program.contains(format) && page.contains("`\(format)`"))
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 31)
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      try peer.agree(size: (640, 360))
      for number in 1...(finds ? 10 : 2) {
        var header = ExampleHeader.make()
        (header.sequence, header.frameNumber) = (UInt64(number), Int64(100 * number))
        peer.send(MonitorMessage(MonitorHeader(MonitorKind(rawValue: 99), sequence: 1), payload: [1, 2, 3]))
        var later = MonitorMessage(header, payload: [UInt8](repeating: UInt8(number), count: 1000)).bytes
        later[0] = 90
        later.insert(contentsOf: [0xff, 0xff], at: MonitorHeader.length)
        peer.send(later)
        let used = try peer.request()?.request
        #expect(used == .used(subscription: 1, sequence: UInt64(number)))
      }
    }
    let folder = try TemporaryFolder(), runtime = try TemporaryFolder()
    let found = """
      mkdir "$4"/camrec && cd "$4"/camrec && ln -s "$3" 2.monitor &&
      python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("1.monitor")' &&
      cd "$1" && exec env XDG_RUNTIME_DIR="$4" python3 "$2"
      """
    let said = try Tool.run([
      "sh", "-c", finds ? found : #"cd "$1" && exec python3 "$2" "$3" 2"#, "sh", folder.url.path,
      Self.root.appending(path: name).path, monitor.path, runtime.url.path,
    ])
    #expect(String(decoding: said, as: UTF8.self).contains(#""ok":true,"subscription":1"#))
    #expect(try folder.names == (1...(finds ? 10 : 2)).map { "picture-\($0 * 100).jpg" }.sorted())
    let picture = try Data(contentsOf: folder.url.appending(path: "picture-200.jpg"))
    #expect(picture == Data(repeating: 2, count: 1000))
  }
}
