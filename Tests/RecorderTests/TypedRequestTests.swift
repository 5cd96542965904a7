import ControlCodec
import Frames
import Recorder
import RecorderAPI
import Testing

/// What somebody types on a recorder's terminal, behind a colon.
@Suite struct TypedRequestTests {
  private func meaning(_ line: String) throws -> ControlRequest.Meaning { try ControlRequest(typed: line).meaning() }

  @Test(arguments: [
    ("marker take 2", "take 2"), (#"marker "take 2""#, "take 2"), ("marker 'take 2'", "take 2"),
    ("  marker   take  2 ", "take  2"), ("marker Bob's take", "Bob's take"), (#"marker "a" and "b""#, #""a" and "b""#),
    ("marker marker", "marker"), (#"marker ""#, #"""#),
  ])
  func markersNeedNoQuotes(_ line: String, _ text: String) throws {
    #expect(try meaning(line) == .command(.marker(text)))
  }

  @Test func aMarkerWithoutATextHasANumber() throws {
    for line in ["marker", " marker  "] { #expect(try meaning(line) == .command(.marker(nil))) }
    #expect(throws: CamrecError.self) { try meaning(#"marker """#) }
  }

  @Test func wordsOfACommandLineAreOneText() throws {
    #expect(try ControlRequest(.marker, words: ["take", "2"]).meaning() == .command(.marker("take 2")))
    #expect(try ControlRequest(.marker, words: ["take 2"]).meaning() == .command(.marker("take 2")))
    #expect(try ControlRequest(.marker, words: []).meaning() == .command(.marker(nil)))
  }

  @Test func aMistypedWordIsAnsweredWithTheNearest() {
    #expect(throws: CamrecError(.usage, "there is no command 'strat'; did you mean start?")) { try meaning("strat") }
    #expect {
      try meaning("dance")
    } throws: {
      "\($0)".hasPrefix("there is no command 'dance'; the commands are state, watch, start")
    }
  }

  @Test(arguments: [
    "switch --fps 30 --pixel-format nv12", "switch fps=30 pixelFormat=nv12", "switch --fps=30 pixel-format=nv12",
  ]) func aSwitchTakesOptionsAndNames(_ line: String) throws {
    let change = SourceChange(frameRate: FrameRate(parsing: "30"), pixelFormat: "nv12")
    #expect(try meaning(line) == .command(.source(change)))
  }

  @Test(arguments: ["switch 30", "switch --fps", "switch fps=", "switch --speed 30"])
  func aSwitchWithoutAValueIsRefused(_ line: String) {
    #expect(throws: CamrecError.self) { try meaning(line) }
  }

  @Test func otherCommandsAreReadAsBefore() throws {
    #expect(try meaning("rate 30") == .command(.source(SourceChange(frameRate: FrameRate(parsing: "30")))))
    #expect(throws: CamrecError.self) { try meaning("rate 30 40") }
  }
}
