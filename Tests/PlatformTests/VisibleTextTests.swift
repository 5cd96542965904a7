import Foundation
import Frames
import Platform
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("take 1.mov", "take 1.mov"), ("Straße 東京 👩‍👩‍👧 é", "Straße 東京 👩‍👩‍👧 é"),
    ("\u{1B}]0;owned\u{7}", #"\x1b]0;owned\x07"#), ("\u{9B}2J\u{9C}\u{7F}", #"\x9b2J\x9c\x7f"#),
    ("a\tb\r\nc", #"a\tb\r\nc"#), ("take\u{202E}vom.\u{2066}x", #"take\u{202e}vom.\u{2066}x"#),
    ("\u{200F}\u{61C}\u{2028}", #"\u{200f}\u{061c}\u{2028}"#), ("\0", #"\x00"#),
  ])
  func nothingThatATerminalObeys(_ text: String, _ wanted: String) {
    #expect(VisibleText.line(text) == wanted)
  }

  @Test func lineFeedsStayWhereTextHasLines() {
    #expect(VisibleText.lines("a\n\u{1B}[2Jb\n") == "a\n\\x1b[2Jb\n")
  }

  @Test func jsonMeansTheSame() throws {
    let name = "\u{1B}]0;x\u{7} \u{9B}2J \u{202E}vom \u{7F} \u{2028} ü\n"
    let json = String(decoding: try JSONEncoder().encode([name]), as: UTF8.self)
    let safe = VisibleText.json(json)
    #expect(!safe.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
    #expect(try JSONDecoder().decode([String].self, from: Data(safe.utf8)) == [name])
  }
}
