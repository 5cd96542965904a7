import Foundation
import SectionFile
import TestKit
import Testing

/// What a rig file says, and everything that can be wrong with its text.
@Suite struct SectionReaderTests {
  static let schema = SectionSchema(
    names: SectionSchema.Names(file: "rig file", one: "camera", all: "cameras", limit: 64),
    keys: ["settings", "sockets"],
    options: [
      SectionSchema.Option("camera", valueName: "camera"), SectionSchema.Option("fps", valueName: "rate"),
      SectionSchema.Option("lut", valueName: "FILE.cube"), SectionSchema.Option("shutter-angle"),
      SectionSchema.Option("timecode"),
      SectionSchema.Option("codec", words: ["hevc", "prores", "ffv1"]), SectionSchema.Option("nearest", .flag),
      SectionSchema.Option("hook", isRepeating: true), SectionSchema.Option("json", .flag),
    ], refused: ["json": "the rig reads the events itself"])

  private func read(_ text: String) -> (file: SectionFile?, findings: [FileFinding]) {
    SectionReader.read(Array(text.utf8), schema: SectionReaderTests.schema)
  }

  private func lines(_ text: String) -> [String] { read(text).findings.map { $0.line(file: "r.yaml") } }

  @Test func camerasAndDefaults_becomeArguments() throws {
    let (file, findings) = read(
      """
      # a comment
      settings: /var/lib/rig
      defaults:
        lut: look.cube
        fps: 25
        nearest: true
      cameras:
        front:
          camera: "sim:seed=1"
          fps: 23.976
          timecode: 01:00:00:00
          hook: [one, 'two & three']
        back: {camera: sim, nearest: false, lut: ~}
        third:
      """)
    #expect(findings == [])
    let cameras = try #require(file?.sections)
    #expect(cameras.map(\.name) == ["front", "back", "third"])
    #expect(
      cameras[0].arguments == [
        "--lut=look.cube", "--nearest", "--camera=sim:seed=1", "--fps=23.976", "--timecode=01:00:00:00", "--hook=one",
        "--hook=two & three",
      ])
    #expect(cameras[1].arguments == ["--fps=25", "--camera=sim"], "a flag can be off again, and a default be left")
    #expect(cameras[2].arguments == ["--lut=look.cube", "--fps=25", "--nearest"])
    #expect(file?.value("settings")?.text == "/var/lib/rig" && file?.value("sockets") == nil)
    #expect(cameras[0].setting("fps")?.values[0].place == FilePlace(line: 10, column: 10))
    #expect(cameras[0].path(of: try #require(cameras[0].setting("lut"))) == "defaults.lut")
  }

  /// As in all of YAML.
  @Test func aTilde_isNoValue_whereverItStands() {
    let (file, findings) = read(
      """
      settings: ~
      sockets: /run/rig
      defaults: {lut: ~, codec: null, nearest: ~, fps: 25}
      cameras:
        front: {camera: sim, fps: ~}
        back: {lut: '~', timecode: "null"}
        third: ~
      """)
    #expect(findings == [])
    #expect(file?.value("settings") == nil && file?.value("sockets")?.text == "/run/rig")
    let arguments = file?.sections.map(\.arguments)
    #expect(arguments == [["--camera=sim"], ["--fps=25", "--lut=~", "--timecode=null"], ["--fps=25"]])
    let without = read("defaults: ~\ncameras: {a: {fps: 24}}\n")
    #expect(without.findings == [] && without.file?.sections.first?.arguments == ["--fps=24"])
    #expect(
      lines("cameras: {a: {hook: [one, ~]}}\n")
        == ["r.yaml:1:27: error: cameras.a.hook: the value is missing; add one, or remove the key"])
    #expect(lines("~\n") == lines(""))
  }

  @Test func aListOfWrongValues_isOneMistakeForEach() throws {
    let (file, findings) = read("cameras: {front: {hook: ['', ''], fps: 25}, back: {hook: [one, '']}}\n")
    #expect(findings.map(\.key) == ["cameras.front.hook", "cameras.front.hook", "cameras.back.hook"])
    let cameras = try #require(file?.sections)
    #expect(cameras[0].arguments == ["--fps=25"] && cameras[0].refused == ["hook"])
    #expect(cameras[1].arguments == ["--hook=one"])
  }

  @Test func wordsStayAsTheyAreWritten() throws {
    // By YAML 1.1 these are a sexagesimal number, a truth, a float, an octal, a date.
    let values = ["12:30:45:12", "off", "1e3", "010", "2026-01-01"]
    for value in values {
      let (file, findings) = read("cameras: {a: {timecode: \(value)}}")
      #expect(findings == [] && file?.sections.first?.arguments == ["--timecode=\(value)"])
    }
  }

  static let cases: [(text: String, sentences: [String])] = [
    ("", ["r.yaml: error: the file is empty; write 'cameras:' with a name for each camera below it"]),
    (
      "# nothing\n",
      ["r.yaml: error: the file is empty; write 'cameras:' with a name for each camera below it"]
    ),
    ("- a\n- b\n", ["r.yaml:1:1: error: a rig file needs 'cameras:' with a name for each camera below it"]),
    (
      "defaults: {fps: 24}\n",
      ["r.yaml: error: the file names no camera; write 'cameras:' with a name for each camera below it"]
    ),
    ("cameras:\n", ["r.yaml:1:9: error: cameras: write a name for each camera here, with its keys below it"]),
    (
      "cameras:\n  front:\n    shuter_angle: 90\n    Codec: hevc\n    xyzzy: 1\n",
      [
        "r.yaml:3:5: error: cameras.front.shuter_angle: there is no key 'shuter_angle'; did you mean shutter-angle?",
        "r.yaml:4:5: error: cameras.front.Codec: there is no key 'Codec'; did you mean codec?",
        "r.yaml:5:5: error: cameras.front.xyzzy: there is no key 'xyzzy'; the keys are camera, codec, fps, hook, lut, "
          + "nearest, shutter-angle, timecode",
      ]
    ),
    (
      "camera:\n  front: {}\n",
      [
        "r.yaml: error: the file names no camera; write 'cameras:' with a name for each camera below it",
        "r.yaml:1:1: error: camera: 'camera' is not allowed here: put it under a camera, or under defaults",
      ]
    ),
    (
      "cameras:\n  a: {json: true}\n",
      ["r.yaml:2:7: error: cameras.a.json: 'json' is not allowed here: the rig reads the events itself"]
    ),
    (
      "cameras:\n  a:\n    fps: [24, 25]\n    lut: {a: b}\n    nearest: yes\n    codec: h264\n    camera:\n"
        + "    timecode: true\n",
      [
        "r.yaml:3:10: error: cameras.a.fps: this must be one value, not a list",
        "r.yaml:4:10: error: cameras.a.lut: this must be one value, not a block of keys",
        "r.yaml:5:14: error: cameras.a.nearest: this must be true or false, not 'yes'",
        "r.yaml:6:12: error: cameras.a.codec: this must be one of hevc, prores, ffv1, not 'h264'",
        "r.yaml:7:12: error: cameras.a.camera: the value is missing; add one, or remove the key",
        "r.yaml:8:15: error: cameras.a.timecode: this must be a value (value), not true or false; remove the key if "
          + "there is none",
      ]
    ),
    (
      "cameras: {a: {codec: prorse}}",
      [
        "r.yaml:1:22: error: cameras.a.codec: this must be one of hevc, prores, ffv1, not 'prorse'; "
          + "did you mean prores?"
      ]
    ),
    (
      "cameras:\n  a b: {}\n  ../c: {}\n",
      [
        "r.yaml:2:3: error: cameras: a camera's name has 1 to 32 letters, digits, '-' and '_', and begins with a "
          + "letter; this is 'a b'",
        "r.yaml:3:3: error: cameras: a camera's name has 1 to 32 letters, digits, '-' and '_', and begins with a "
          + "letter; this is '../c'",
      ]
    ),
    (
      "cameras:\n  a:\n    fps: 24\n    codec: hevc\n    fps: 25\n    nope: 1\n  a:\n    fps: 50\n",
      [
        "r.yaml:5:5: error: the key 'fps' is repeated here, after line 3; remove one",
        "r.yaml:6:5: error: cameras.a.nope: there is no key 'nope'; the keys are camera, codec, fps, hook, lut, "
          + "nearest, shutter-angle, timecode",
        "r.yaml:7:3: error: the key 'a' is repeated here, after line 2; remove one",
      ]
    ),
    ("cameras: {a: {fps: 1, fps: 2}}", ["r.yaml:1:15: error: the key 'fps' is in this block twice; remove one"]),
    ("cameras:\n\ta:\n", ["r.yaml:2:1: error: YAML does not allow tabs as indentation; use spaces"]),
    (
      "defaults: &d {fps: 24}\ncameras: {a: *d}\n",
      [
        "r.yaml:1:11: error: a rig file has no anchors and aliases (& and *); put what cameras share under defaults, "
          + "and quote a value that begins with one of these",
        "r.yaml:2:14: error: a rig file has no anchors and aliases (& and *); put what cameras share under defaults, "
          + "and quote a value that begins with one of these",
      ]
    ),
    (
      "cameras:\n  a: [1, 2\n",
      ["r.yaml:3:1: error: this is not YAML: did not find expected ',' or ']' (while parsing a flow sequence)"]
    ),
    (
      "cameras: {a: {}}\n---\ncameras: {b: {}}\n",
      ["r.yaml:2:1: error: this is not YAML: but found another document (expected a single document in the stream)"]
    ),
    (
      "cameras: {a: {lut: \"a\\nb\"}}",
      ["r.yaml:1:20: error: cameras.a.lut: a value must be on one line, without control characters"]
    ),
    (
      "cameras:\n  a: sim\n",
      ["r.yaml:2:6: error: cameras.a: write keys and values here, as in 'fps: 24'; this is 'sim'"]
    ),
  ]

  @Test(arguments: cases) func whatIsWrong_isSaidWithItsPlace(_ text: String, _ sentences: [String]) {
    #expect(lines(text) == sentences)
  }

  @Test func byteOrderMarkAndCarriageReturns_areNoMatter() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("cameras:\r\n  a:\r\n    fps: 24\r\n    fsp: 1\r\n".utf8)
    let (file, findings) = SectionReader.read(bytes, schema: SectionReaderTests.schema)
    #expect(file?.sections.first?.arguments == ["--fps=24"])
    #expect(
      findings.map { $0.line(file: "r") } == ["r:4:5: error: cameras.a.fsp: there is no key 'fsp'; did you mean fps?"])
  }

  @Test func otherEncodings_areRefusedWithThePlace() {
    let latin = Array("cameras:\n  a: {lut: caf".utf8) + [0xE9] + Array("}".utf8)
    let (file, findings) = SectionReader.read(latin, schema: SectionReaderTests.schema)
    #expect(
      file == nil
        && findings.map { $0.line(file: "r") } == ["r:2:15: error: this is not UTF-8; save the rig file as UTF-8"])
    let wide: [UInt8] = [0xFF, 0xFE, 0x61, 0x00]
    #expect(SectionReader.read(wide, schema: SectionReaderTests.schema).findings.count == 1)
  }

  @Test func quotedAndPlainMarks_areNoAnchors() {
    #expect(lines("cameras:\n  a: {lut: 'a &b *c', camera: sim}\n  b:\n    lut: R&B*.cube # &not *this\n") == [])
  }

  /// A few lines stand for 9⁹ nodes, also where a library compares keys; brackets would use up the stack.
  @Test func smallFilesThatAskForMuch_areRefused() {
    let laughs =
      "a: &a [x,x,x,x,x,x,x,x,x]\n"
      + zip("bcdefghij", "abcdefghi").map {
        "\($0): &\($0) [\(Array(repeating: "*\($1)", count: 9).joined(separator: ","))]\n"
      }.joined()
      + "? *j\n: 1\n"
    #expect(lines(laughs).count == 20)
    for deep in [
      String(repeating: "[", count: 200_000), String(repeating: "{a: ", count: 50_000),
      String(repeating: "- ", count: 100_000), String(repeating: "? ", count: 100_000),
    ] {
      #expect(lines("cameras: \n \(deep)").first?.contains("more than 8 nested levels") == true)
    }
  }

  @Test func tooManyCameras_areRefused() {
    let text = "cameras:\n" + (1...65).map { "  c\($0): {camera: sim}\n" }.joined()
    #expect(lines(text) == ["r.yaml:66:3: error: cameras: a rig file can have at most 64 cameras, not 65"])
  }

  @Test func damagedFiles_endInFindingsOrCameras() throws {
    let good = Array(
      "defaults:\n  fps: 25\ncameras:\n  front: {camera: sim, hook: [a, 'b']}\n  back:\n    nearest: true\n".utf8)
    var random = SplitMix(seed: 5)
    for _ in 0..<2000 {
      var bytes = good
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(try #require("\n :-&*[]{}'\"#?|>\t!%@,".utf8.randomElement(using: &random)), at: index)
        }
      }
      let (file, findings) = SectionReader.read(bytes, schema: SectionReaderTests.schema)
      #expect(file != nil || !findings.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
      for finding in findings { #expect(finding.place.map { $0.line >= 1 && $0.column >= 1 } ?? true) }
    }
  }
}
