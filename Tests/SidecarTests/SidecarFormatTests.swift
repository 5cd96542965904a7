import Foundation
import Frames
import RecorderAPI
import Sidecar
import Testing

@Suite struct SidecarFormatTests {
  private let sample: SidecarSample

  init() throws { sample = try SidecarSample() }

  @Test func `what is written is read`() throws {
    let bytes = try sample.write()
    let (records, extent) = try sample.read()
    #expect(records == SidecarSample.records)
    #expect(extent == SidecarReader.Extent(bytes: Int64(bytes.count)))
    #expect(try SidecarReader(path: sample.path).head == SidecarSample.head)
  }

  @Test func `a line says what has changed, in names that a person reads`() throws {
    let text = String(decoding: try sample.write(), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.last == "" && lines.count == SidecarSample.records.count + 2)
    #expect(
      lines[0].hasPrefix(
        #"{"camrec-sidecar":1,"software":"camrec 0.1.0","film":"take.mov","#
          + #""camera":"a \"camera\" \\ with\u0009a tab","width":1920"#))
    #expect(lines[0].contains(#""rate":"24000/1001","timeBase":"1/24000""#))
    #expect(lines[0].hasSuffix(#""start":"2023-11-14T22:13:20.125Z","timecode":"22:13:20:03"}"#))
    let expected: [String] = [
      #"{"frame":0,"sequence":7}"#,
      #"{"frame":1}"#,
      #"{"frame":2,"exposureTime":0.0208,"shutterAngle":179.5325,"iso":100,"gainEV":2,"whiteBalance":5600,"#
        + #""focusDistance":60,"meteredEV":-0.25}"#,
      #"{"frame":3}"#,
      #"{"lost":"deviceGap","frame":4,"count":2}"#,
      #"{"setting":"iso","value":"126","seconds":0.167}"#,
      #"{"frame":6,"iso":125.992,"gain":20,"gainEV":2.33,"tint":-0.05,"focusDistance":null,"meteredEV":0.1}"#,
      #"{"lost":"sound","sample":12000,"count":480}"#,
    ]
    #expect(Array(lines[2...9]) == expected)
    #expect(lines[12] == #"{"frame":7,"ticks":7100,"sequence":900}"#)
    for line in lines.dropLast() {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
  }

  /// However often it is copied: the sidecar of a baked film takes it from that of the clip.
  @Test func `a start stays the same to the millisecond`() throws {
    for millisecond in Array(0...9) + [32, 33, 103, 104, 258, 259, 497, 857, 957, 958, 959, 998, 999] {
      let text = "2026-11-22T19:14:03.\(String(1000 + millisecond).dropFirst())Z"
      var head = SidecarSample.head
      head.start = Date(timeIntervalSince1970: 1_795_374_843 + Double(millisecond) / 1000)
      for copy in 0..<3 {
        let sample = try SidecarSample(), written = String(decoding: try sample.write([], head: head), as: UTF8.self)
        #expect(written.contains("\"start\":\"\(text)\""), "copy \(copy): \(written)")
        head = try SidecarReader(path: sample.path).head
      }
    }
  }

  @Test func `a start is given to the nearest millisecond`() throws {
    for (seconds, end) in [(0.4996, "03.500Z"), (0.9996, "04.000Z"), (0.0004, "03.000Z")] {
      var head = SidecarSample.head
      head.start = Date(timeIntervalSince1970: 1_795_374_843 + seconds)
      let sample = try SidecarSample(), written = String(decoding: try sample.write([], head: head), as: UTF8.self)
      #expect(written.contains("\"start\":\"2026-11-22T19:14:\(end)\""), "\(written)")
    }
  }

  @Test func `UUIDs stand at the end of the head, in lower case`() throws {
    let (recording, film, clip) = (
      "0b8d7f0e-1c2d-4e3f-8a9b-6c5d4e3f2a1b", "5f3c0c6e-9d53-4a66-b1a4-0f4e2a3b7c0d",
      "e2a3b7c0-9d53-4a66-b1a4-0f4e5f3c0c6e"
    )
    var head = SidecarSample.head
    head.identity = RecordingIdentity(recordingID: recording, filmID: film)
    (head.bakedFrom, head.bakedFromID) = ("clip.mov", UUID(uuidString: clip))
    let text = String(decoding: try sample.write(head: head), as: UTF8.self)
    let ids = #""bakedFrom":"clip.mov","recordingID":"\#(recording)","filmID":"\#(film)","bakedFromID":"\#(clip)"}"#
    #expect(text.prefix { $0 != "\n" }.hasSuffix(ids))
    #expect(try SidecarReader(path: sample.path).head == head)
    try sample.put(text.replacing(film, with: "not a UUID").utf8)
    let damaged = try SidecarReader(path: sample.path).head
    #expect(damaged.identity == nil && damaged.bakedFromID == head.bakedFromID, "the rest is read")
  }

  @Test func `a look says where its grain begins, unless with the first frame`() throws {
    var head = SidecarSample.head
    for (frame, member) in [(nil, ""), (83, #""grainFrame":83,"#)] as [(Int64?, String)] {
      head.look = LookIdentity(name: "portra-400", version: 1, seed: 7, frame: frame, sigma: 1.067)
      let sample = try SidecarSample(), text = String(decoding: try sample.write([], head: head), as: UTF8.self)
      let look = #""look":"portra-400","lookVersion":1,"grainSeed":7,\#(member)"grainSigma":1.067,"bakedOn":"#
      #expect(text.contains(look), "\(text)")
      #expect(try SidecarReader(path: sample.path).head == head)
    }
  }

  @Test func `what a later camrec adds is passed over`() throws {
    var lines = String(decoding: try sample.write(), as: UTF8.self).split(separator: "\n").map(String.init)
    lines.insert(#"{"fragment":[1,2,{"a":"]}\""}],"frame":99}"#, at: 3)
    lines.insert(#"{"lost":"aliens","frame":3,"count":1}"#, at: 5)
    lines[2] = #"{ "frame" : 0, "sequence":7, "mood":{"x":[true,false,null]}, "more":1e3 }"#
    try sample.put((lines.joined(separator: "\n") + "\n").utf8)
    let (records, extent) = try sample.read()
    #expect(records.filter { $0 != .other } == SidecarSample.records)
    #expect(extent.unknownRecords == 2 && extent.damagedLines == 0)
  }

  @Test func `a later version, and what is no sidecar, is refused with a sentence`() throws {
    let text = String(decoding: try sample.write(), as: UTF8.self)
    try sample.put(text.replacing("{\"camrec-sidecar\":1,", with: "{\"camrec-sidecar\":2,", maxReplacements: 1).utf8)
    #expect(message { _ = try SidecarReader(path: sample.path) }
      == "'\(sample.path)' has version 2, written by a later camrec; this one reads up to version 1")
    try sample.put("{\"camrec\":1}\n".utf8)
    #expect(message { _ = try SidecarReader(path: sample.path) } == "'\(sample.path)' is not the sidecar of a film")
    #expect(message { _ = try SidecarReader(path: sample.folder.path) }
      == "'\(sample.folder.path)' is a folder or a device, not a film or a sidecar")
    #expect(message { _ = try SidecarReader(path: sample.film) }
      == "'\(sample.film)' does not exist; check the path")
  }

  /// With a metered value that changes with every frame, which is the longest that an ordinary film has.
  @Test func `a week at 24 frames a second stays below a gigabyte`() throws {
    let first: Int64 = 14_000_000, count: Int64 = 5000
    let records = (0..<count).map { number -> SidecarRecord in
      let ev = Double(number * 37 % 211 - 100) / 100, iso = 100 * exp2(Double(number / 24) / 50)
      let exposure = ExposureRecord(exposureTime: 0.0208, iso: iso, gainEV: 2, meteredEV: ev)
      return .frame(SidecarSample.frame(first + number, exposure, ControlRecord(whiteBalance: 5600)))
    }
    let bytes = try sample.write(records)
    let week = 7.0 * 86400 * 24
    #expect(Double(bytes.count) / Double(count) * week < 1e9)
    #expect(try sample.read().records.count == Int(count))
  }

  @Test func `a sidecar that a film has left behind is replaced, and nothing else of that name`() throws {
    try sample.write()
    let bytes = try sample.write([.frame(SidecarSample.frame(0))])
    #expect(bytes.count(where: { $0 == UInt8(ascii: "\n") }) == 2)
    try sample.put("notes of mine\n".utf8)
    let writer = try SidecarWriter(film: sample.film, head: SidecarSample.head)
    writer.flush()
    #expect(
      writer.takeFailure()?.description
        == "the film has no sidecar: '\(sample.path)' exists but is not a sidecar; move it away")
    #expect(writer.takeFailure() == nil)
    SidecarFile.removeLeftover(ofFilm: sample.film)
    #expect(FileManager.default.fileExists(atPath: sample.path))
    try sample.put(bytes)
    SidecarFile.removeLeftover(ofFilm: sample.film)
    #expect(!FileManager.default.fileExists(atPath: sample.path))
  }

  /// The film's own name comes first: until then nothing is made beside it, and nothing is lost meanwhile.
  @Test func `a sidecar that is held back is made when it is released`() throws {
    let writer = try SidecarWriter(film: sample.film, head: SidecarSample.head, isHeldBack: true)
    writer.append(.frame(SidecarSample.frame(0)))
    #expect(!FileManager.default.fileExists(atPath: sample.path))
    writer.release()
    writer.flush()
    #expect(try sample.read().records.count == 1)
  }

  @Test func `a frame is due while it waits for the next one`() throws {
    let writer = try SidecarWriter(film: sample.film, head: SidecarSample.head)
    #expect(writer.due == nil)
    writer.append(.frame(SidecarSample.frame(0)))
    let due = try #require(writer.due)
    writer.append(.frame(SidecarSample.frame(1)))
    #expect(writer.due == due, "the later one does not put it off")
    writer.handOver()
    #expect(writer.due == nil)
    writer.append(.frame(SidecarSample.frame(2)))
    writer.append(.warning("it is dark", seconds: 0))
    #expect(writer.due == nil)
    writer.flush()
    #expect(try sample.read().records.count == 4)
  }

  /// A folder that is moved away with the film in it: the sidecar is made where the film is found.
  @Test func `a sidecar whose folder is gone is made where its film has gone`() throws {
    let missing = sample.film + "-missing/take.mov"
    let writer = try SidecarWriter(film: missing, head: SidecarSample.head)
    writer.append(.frame(SidecarSample.frame(0)))
    writer.follow(from: missing, to: sample.film)
    writer.flush()
    #expect(writer.takeFailure() == nil && writer.path == sample.path)
    #expect(try sample.read().records.count == 1)
  }

  /// The file's descriptor is led to a device that is always full.
  @Test(arguments: [false, true])
  func `a full disk is said once, and what was written stays`(hasEnded: Bool) throws {
    let writer = try SidecarWriter(film: sample.film, head: SidecarSample.head)
    writer.append(.warning("before", seconds: 0))
    writer.flush()
    let fd = try #require(
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.first {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == sample.path
      })
    let full = open("/dev/full", O_WRONLY)
    #expect(full >= 0 && dup2(full, fd) == fd && writer.takeFailure() == nil)
    close(full)
    for index in 0..<100 { writer.append(.frame(SidecarSample.frame(Int64(index)))) }
    if hasEnded { writer.append(.end(SidecarSample.end)) } else { writer.flush() }
    let failure = try #require(writer.takeFailure())
    #expect(failure.code == .output && failure.cause == "No space left on device")
    let sentence =
      hasEnded
      ? "cannot finish the sidecar '\(sample.path)'; it has no end"
      : "cannot continue writing the sidecar '\(sample.path)'; the film goes on without it"
    #expect(failure.message == sentence)
    #expect(writer.takeFailure() == nil)
    #expect(try sample.read().records == [.warning("before", seconds: 0)])
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return (error as? CamrecError)?.message }
  }
}
