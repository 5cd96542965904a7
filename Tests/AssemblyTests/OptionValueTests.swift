import Assembly
import Cameras
import Frames
import Retention
import Testing

/// Values as they are typed, and what is refused.
struct OptionValueTests {
  @Test func timesHaveUnits() throws {
    let texts: [(String, Int64)] = [
      ("10s", 10_000_000_000), ("1m30s", 90_000_000_000), ("500ms", 500_000_000), ("2h", 7_200_000_000_000),
      ("-20ms", -20_000_000), ("+1.5s", 1_500_000_000), ("7us", 7000),
    ]
    for (text, nanoseconds) in texts { #expect(try TimeSpan(parsing: text).nanoseconds == nanoseconds, "\(text)") }
    for text in ["", "10", "s", "-", "1.2.3s", "10 s", "1d", "8785h"] {
      #expect(throws: CamrecError.self, "\(text)") { try TimeSpan(parsing: text) }
    }
  }

  @Test func everyUseHasItsLimits() {
    #expect(throws: CamrecError.self) { try TimeSpan(parsingDuration: "0s") }
    #expect(throws: CamrecError.self) { try TimeSpan(parsingDuration: "-1s") }
    #expect(throws: CamrecError.self) { try TimeSpan(parsingOffset: "1001ms") }
    #expect(throws: CamrecError.self) { try TimeSpan(parsingLossLimit: "199ms") }
    #expect(throws: CamrecError.self) { try TimeSpan(parsingLossLimit: "10.001s") }
    #expect(throws: CamrecError.self) { try TimeSpan(parsingPreRoll: "99ms") }
    #expect(throws: CamrecError.self) { try TimeSpan(parsingPreRoll: "601s") }
    #expect(throws: CamrecError.self) { try TimeSpan(parsingDebounce: "0s") }
    #expect(throws: Never.self) {
      _ = try TimeSpan(parsingOffset: "-1s")
      _ = try TimeSpan(parsingLossLimit: "200ms")
      _ = try TimeSpan(parsingPreRoll: "10m")
      _ = try TimeSpan(parsingDebounce: "1s")
    }
  }

  @Test func sizesAndRates() throws {
    #expect(ByteSize("1.5TB")?.bytes == 1_500_000_000_000 && ByteSize("4GiB")?.bytes == 4 << 30)
    #expect(ByteSize("500mb")?.bytes == 500_000_000 && ByteSize("7")?.bytes == 7)
    for text in ["", "0", "-1", "1e3", "5 MB", "1XB", "2000000TB", "."] { #expect(ByteSize(text) == nil, "\(text)") }
    #expect(try Bitrate(parsing: "12.5M").bitsPerSecond == 12_500_000)
    #expect(try Bitrate(parsing: "800k").bitsPerSecond == 800_000)
    for text in ["", "0", "999", "11G", "M", "-40M", "40MB"] {
      #expect(throws: CamrecError.self, "\(text)") { try Bitrate(parsing: text) }
    }
  }

  @Test func agesAndMarksOfFreeSpace() throws {
    #expect(try FilmAge(parsing: "30d").seconds == 2_592_000 && FilmAge(parsing: "12h").seconds == 43_200)
    for text in ["0d", "-1d", "", "d", "37000d", "5"] {
      #expect(throws: CamrecError.self, "\(text)") { try FilmAge(parsing: text) }
    }
    #expect(try SpaceMarks(parsing: "30m,500MB").marks == SpaceMark.standard)
    #expect(try SpaceMarks(parsing: "none").marks == [])
    for text in ["", "30", "30m,", "none,30m", "-5m"] {
      #expect(throws: CamrecError.self, "\(text)") { try SpaceMarks(parsing: text) }
    }
  }

  @Test func namesAreSafeInFilesAndMetrics() throws {
    #expect(try RecorderName(parsing: "front-1.a_B").description == "front-1.a_B")
    for text in ["", ".a", "-a", "a/b", "a b", "é", String(repeating: "a", count: 65)] {
      #expect(throws: CamrecError.self, "\(text)") { try RecorderName(parsing: text) }
    }
    let names = ["/dev/video0": "video0", "/": "camera", "sim:seed=3": "sim", "clip:a.mov": "clip"]
    for (camera, name) in names { #expect(try RecorderName.standard(CameraAddress(parsing: camera)) == name) }
    #expect(RecorderName.standard(nil) == "camera")
  }

  @Test func endsOfABracketAreMeteredOrKnown() throws {
    #expect(try BracketEnd(parsing: "meter:0.5,0.25").isMetered && !BracketEnd(parsing: "1/250").isMetered)
    for text in ["meter:", "meter:2,0", "1/7", ""] {
      #expect(throws: CamrecError.self, "\(text)") { try BracketEnd(parsing: text) }
    }
  }

  @Test func wholeNumbersSayTheirLimits() throws {
    #expect(try WholeNumber.parse("7", "the number of workers is", in: 1...256) == 7)
    let error = #expect(throws: CamrecError.self) {
      try WholeNumber.parse("0", "the number of workers is", in: 1...256)
    }
    #expect(error?.message == "the number of workers is 1 to 256")
    let open = #expect(throws: CamrecError.self) {
      try WholeNumber.parse("x", "the number of frames is", in: 1...Int64.max)
    }
    #expect(open?.message == "the number of frames is at least 1")
  }
}
