import ControlCodec
import Foundation
import Frames
import RecorderAPI
import Testing

/// What a subscriber asks for, as lines of JSON.
@Suite struct MonitorRequestTests {
  private func failure(_ line: String) -> String? {
    do throws(CamrecError) {
      _ = try MonitorRequest(line: line.utf8)
      return nil
    } catch {
      return error.code == .usage ? error.message : "\(error.code)"
    }
  }

  @Test func lines_areRead() throws {
    func read(_ line: String) throws -> MonitorRequest { try MonitorRequest(line: line.utf8) }
    #expect(try read(#"{"do":"hello"}"#) == .hello(version: 1))
    #expect(try read(#"{"do":"hello","version":7,"id":"a"}"#) == .hello(version: 7))
    #expect(try read(#"{"do":"pictures","subscription":1}"#) == .pictures(subscription: 1, PictureRequest()))
    #expect(
      try read(
        #"{"do":"pictures","subscription":4294967295,"graded":false,"width":641,"crop":[0.25,0,0.5,1],"rate":0.5,"#
          + #""quality":1}"#)
        == .pictures(
          subscription: .max, PictureRequest(
            isGraded: false, width: 641, crop: MonitorCrop(x: 0.25, y: 0, width: 0.5, height: 1), rate: 0.5,
            quality: 1)))
    #expect(
      try read(#"{"do":"measures","subscription":2,"graded":true,"rate":240}"#)
        == .measures(subscription: 2, MeasuresRequest(rate: 240)))
    #expect(try read(#"{"do":"snapshot","subscription":3}"#) == .snapshot(subscription: 3, SnapshotRequest()))
    #expect(
      try read(#"{"do":"snapshot","subscription":3,"graded":false,"format":"png","width":16,"stale":true}"#)
        == .snapshot(
          subscription: 3, SnapshotRequest(isGraded: false, format: .png, width: 16, takesStale: true)))
    #expect(try read(#"{"do":"end","subscription":1}"# + "\r") == .end(subscription: 1))
    #expect(
      try read(#"{"do":"used","sequence":17,"subscription":1}"#) == .used(subscription: 1, sequence: 17))
  }

  @Test func defaults_areThoseOfThePage() throws {
    let pictures = try PictureRequest(), snapshot = try SnapshotRequest()
    #expect(pictures.isGraded && pictures.width == 960 && pictures.crop == .whole)
    #expect(pictures.rate == 30 && pictures.quality == 75)
    #expect(try MeasuresRequest().rate == 10 && MeasuresRequest().isGraded)
    #expect(snapshot.isGraded && snapshot.format == .jpeg && snapshot.width == nil && snapshot.quality == 90)
    #expect(!snapshot.takesStale)
  }

  @Test func requests_areReadBackFromTheirLines() throws {
    let requests: [MonitorRequest] = [
      .hello(version: 3), .pictures(subscription: 1, try PictureRequest()),
      .pictures(
        subscription: .max, try PictureRequest(
          isGraded: false, width: 16384, crop: try MonitorCrop(x: 1.0 / 3, y: 0.1, width: 2.0 / 3, height: 0.7),
          rate: 23.976, quality: 100)),
      .measures(subscription: 2, try MeasuresRequest(isGraded: false, rate: 0.1)),
      .snapshot(subscription: 3, try SnapshotRequest()),
      .snapshot(subscription: 3, try SnapshotRequest(isGraded: false, format: .png, width: 99, takesStale: true)),
      .end(subscription: 9), .used(subscription: 4, sequence: 1 << 40),
    ]
    for request in requests {
      let line = request.line(id: 5)
      #expect(line.last == UInt8(ascii: "\n") && line.count <= MonitorProtocol.lineLimit)
      #expect(try MonitorRequest(line: line) == request)
      #expect(try MonitorRequest.fields(ofLine: line)["id"] == .integer(5))
    }
  }

  /// JSON has no numbers that are not finite; their words are no numbers either.
  private static let mistakes: [(String, String)] = [
    ("", "the request is no object in JSON; write one, as in {\"do\":\"pictures\",\"subscription\":1}"),
    ("[1]", "the request is no object in JSON; write one, as in {\"do\":\"pictures\",\"subscription\":1}"),
    ("{}", "the request has no \"do\"; write one, as in {\"do\":\"pictures\",\"subscription\":1}"),
    (#"{"do":1}"#, "\"do\" must be a string, as in {\"do\":\"pictures\",\"subscription\":1}"),
    (
      #"{"do":"start"}"#,
      "a monitor has no request 'start'; the requests are hello, pictures, measures, snapshot, end, used"
    ),
    (#"{"do":"end"}"#, "'end' needs a \"subscription\": a number of your choice from 1 on, as in \"subscription\":1"),
    (
      #"{"do":"end","subscription":0}"#,
      "\"subscription\" of 'end' must be a whole number from 1 to 4294967295"
    ),
    (
      #"{"do":"end","subscription":"1"}"#,
      "\"subscription\" of 'end' must be a whole number from 1 to 4294967295"
    ),
    (
      #"{"do":"end","subscription":4294967296}"#,
      "\"subscription\" of 'end' must be a whole number from 1 to 4294967295"
    ),
    (#"{"do":"end","subscription":1,"width":2}"#, "'end' takes only \"subscription\"; remove \"width\""),
    (
      #"{"do":"measures","subscription":1,"x":1,"crop":[0,0,1,1]}"#,
      "'measures' takes only \"subscription\", \"graded\", \"rate\"; remove \"crop\""
    ),
    (#"{"do":"hello","version":0}"#, "\"version\" of 'hello' must be a whole number from 1 to 2147483647"),
    (#"{"do":"used","subscription":1}"#, "'used' needs a \"sequence\": that of the last message you have used"),
    (#"{"do":"used","subscription":1,"sequence":0}"#, "\"sequence\" of 'used' must be a whole number from 1 on"),
    (#"{"do":"used","subscription":1,"sequence":1.5}"#, "\"sequence\" of 'used' must be a whole number from 1 on"),
    (#"{"do":"pictures","subscription":1,"graded":1}"#, "\"graded\" of 'pictures' must be true or false"),
    (#"{"do":"pictures","subscription":1,"width":0}"#, "the width of a picture is 16 to 16384 pixels; this is 0"),
    (#"{"do":"pictures","subscription":1,"width":-960}"#, "the width of a picture is 16 to 16384 pixels; this is -960"),
    (
      #"{"do":"pictures","subscription":1,"width":16385}"#,
      "the width of a picture is 16 to 16384 pixels; this is 16385"
    ),
    (#"{"do":"pictures","subscription":1,"width":99.5}"#, "\"width\" of 'pictures' must be a whole number"),
    (#"{"do":"pictures","subscription":1,"width":null}"#, "\"width\" of 'pictures' must be a whole number"),
    (#"{"do":"pictures","subscription":1,"rate":0}"#, "a rate is 0.001 to 240 a second; this is 0.0"),
    (#"{"do":"pictures","subscription":1,"rate":240.5}"#, "a rate is 0.001 to 240 a second; this is 240.5"),
    (#"{"do":"pictures","subscription":1,"rate":1e-9}"#, "a rate is 0.001 to 240 a second; this is 1e-09"),
    (#"{"do":"measures","subscription":1,"rate":-1}"#, "a rate is 0.001 to 240 a second; this is -1.0"),
    (#"{"do":"measures","subscription":1,"rate":"nan"}"#, "a rate is 0.001 to 240 a second; this is nan"),
    (#"{"do":"measures","subscription":1,"rate":"30"}"#, "\"rate\" of 'measures' must be a number"),
    (#"{"do":"pictures","subscription":1,"quality":0}"#, "the quality of a JPEG picture is 1 to 100; this is 0"),
    (#"{"do":"snapshot","subscription":1,"quality":101}"#, "the quality of a JPEG picture is 1 to 100; this is 101"),
    (
      #"{"do":"snapshot","subscription":1,"format":"png","quality":90}"#,
      "\"quality\" is for jpeg; remove it, or leave out \"format\""
    ),
    (#"{"do":"snapshot","subscription":1,"format":"tiff"}"#, "\"format\" of 'snapshot' must be \"jpeg\" or \"png\""),
    (#"{"do":"snapshot","subscription":1,"width":15}"#, "the width of a picture is 16 to 16384 pixels; this is 15"),
    (#"{"do":"snapshot","subscription":1,"stale":"yes"}"#, "\"stale\" of 'snapshot' must be true or false"),
    (#"{"do":"pictures","subscription":1,"crop":[0,0,1]}"#, "\"crop\" of 'pictures' must be four numbers in an array"),
    (
      #"{"do":"pictures","subscription":1,"crop":[0,0,1,"a"]}"#,
      "\"crop\" of 'pictures' must be four numbers in an array"
    ),
    (
      #"{"do":"pictures","subscription":1,"crop":[0.5,0,0.75,1]}"#,
      "a crop is [x, y, width, height], each from 0 to 1 of the picture and all of it within, as in "
        + "[0.25, 0.25, 0.5, 0.5]; this is [0.5, 0.0, 0.75, 1.0]"
    ),
  ]

  @Test(arguments: mistakes)
  func mistakes_areNamed(_ line: String, _ sentence: String) {
    #expect(failure(line) == sentence)
  }

  @Test(arguments: [
    [-0.1, 0, 1, 1], [0, 0, 1.1, 1], [0, 0, 0, 1], [0, 0, 1, 0], [1, 0, 0.1, 1], [1, 0, 1e-7, 1], [0, 0.9, 1, 0.2],
    [.nan, 0, 1, 1], [0, 0, .infinity, 1],
  ] as [[Double]])
  func cropOutsideThePicture_isRefused(_ parts: [Double]) {
    #expect(throws: CamrecError.self) {
      try MonitorCrop(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
    }
  }

  @Test func cropUpToTheEdge_isWithin_whateverTheSumsOfFractions() throws {
    for parts in 1...100 {
      for part in 0..<parts {
        let x = Double(part) / Double(parts), width = 1 / Double(parts)
        let crop = try MonitorCrop(x: x, y: x, width: width, height: width)
        #expect(crop.x + crop.width <= 1 && crop.y + crop.height <= 1)
      }
    }
  }

  @Test func refusals_knowTheirSubscription() throws {
    func number(_ line: String) throws -> UInt32? {
      MonitorRequest.subscription(in: try MonitorRequest.fields(ofLine: line.utf8))
    }
    #expect(try number(#"{"do":"dance","subscription":7}"#) == 7)
    #expect(try number(#"{"do":"dance","subscription":-7}"#) == nil)
    #expect(try number(#"{"do":"dance"}"#) == nil)
  }

  // MARK: What the recorder says

  private func text(_ text: MonitorText) -> String { String(decoding: text.payload, as: UTF8.self) }

  @Test func texts_areObjectsInJSON() throws {
    let greeting = MonitorText.greeting(camrec: "0.2.0", pid: 4711, name: "front")
    #expect(text(greeting) == #"{"camrec":"0.2.0","monitor":1,"name":"front","pid":4711}"#)
    #expect(
      text(.welcome(greeting, id: .integer(1)))
        == #"{"camrec":"0.2.0","id":1,"monitor":1,"name":"front","ok":true,"pid":4711}"#)
    #expect(
      text(.answer(1, id: .text("a"), size: (width: 960, height: 540)))
        == #"{"height":540,"id":"a","ok":true,"subscription":1,"width":960}"#)
    #expect(text(.answer(3, id: nil, bytes: 99)) == #"{"bytes":99,"ok":true,"subscription":3}"#)
    let stale = CamrecError(.device, "the newest frame is 3 s old", reason: .stale)
    #expect(
      text(.refusal(stale, 3, id: nil))
        == #"{"error":{"code":"device","message":"the newest frame is 3 s old","reason":"stale"},"ok":false,"#
        + #""subscription":3}"#)
    #expect(
      text(.notice(.waiting, 1, CamrecError(.device, "the camera is gone", reason: .awaitingCamera)))
        == #"{"error":{"code":"device","message":"the camera is gone","reason":"awaitingCamera"},"event":"waiting","#
        + #""subscription":1}"#)
    for said in [greeting, .answer(1, id: nil), .refusal(stale, nil, id: .integer(4)), .notice(.ended, 1, stale)] {
      #expect(try MonitorText(payload: said.payload) == said)
      #expect(said.message(sequence: 8).header.kind == .text && said.message(sequence: 8).header.sequence == 8)
    }
  }

  @Test func laterMembers_areNoHindrance() throws {
    let read = try MonitorText(payload: #"{"monitor":1,"weather":["rain"],"event":"snow"}"#.utf8)
    #expect(read.monitor == 1 && read.event == "snow")
    #expect(throws: CamrecError.self) { try MonitorText(payload: "nonsense".utf8) }
  }
}
