import Foundation
import Frames
import Testing

@Suite struct SentenceTests {
  private let sentence: Sentence =
    "'\("a.mov")' exists; choose another \(setting: .output) or add \(setting: .overwrite)"

  @Test func optionsAreAddedByWhoeverHasThem() {
    #expect(sentence.withOptions == "'a.mov' exists; choose another --output or add --overwrite")
    #expect(sentence.plain == "'a.mov' exists; choose another 'output' or add 'overwrite'")
    #expect(sentence.settings == [.output, .overwrite])
  }

  @Test func sentencesArePutTogether() {
    let remedy: Sentence = "use \(setting: .pixelFormat) mjpeg"
    let whole: Sentence = "no bandwidth for \(2) cameras; " + "\(sentence: remedy)"
    #expect(whole.withOptions == "no bandwidth for 2 cameras; use --pixel-format mjpeg")
    #expect(Sentence(text: "--as it is").plain == "--as it is" && Sentence(text: "").withOptions == "")
  }

  @Test func anotherSettingMayHaveNamedTheFile() {
    let error = CamrecError(.output, about: .output, sentence, cause: "EEXIST", reason: .exists)
    let other = error.naming(.exposureTrace, insteadOf: .output)
    #expect(
      other.description == "'a.mov' exists; choose another --exposure-trace or add --overwrite (EEXIST)")
    #expect(other.field == .exposureTrace && other.reason == .exists && other.code == .output)
    #expect(error.naming(.fps, insteadOf: .size) == error)
  }

  @Test func anErrorSaysWhatTheCommandLineSays() {
    let error = CamrecError(.output, about: .output, sentence, reason: .exists)
    #expect(error.message == sentence.withOptions && error.field == .output)
    #expect(error == CamrecError(.output, sentence.withOptions), "people are told the same")
    #expect(error.hashValue == CamrecError(.output, sentence.withOptions).hashValue)
    #expect(error != CamrecError(.usage, sentence.withOptions))
    #expect(error != CamrecError(.output, sentence.withOptions, cause: "EEXIST"))
    let plain = CamrecError(.device, "the camera is gone")
    #expect(plain.field == nil && plain.reason == nil && plain.sentence.plain == "the camera is gone")
  }

  /// Outcomes of earlier runs are read again.
  @Test func inJSON_anErrorHasItsMessage() throws {
    let error = CamrecError(.output, about: .output, sentence, cause: "EEXIST", reason: .exists)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = try encoder.encode(error)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"cause":"EEXIST","code":"output","message":"\#(sentence.withOptions)"}"#)
    #expect(try JSONDecoder().decode(CamrecError.self, from: bytes) == error)
    let without = Data(#"{"code":"device","message":"gone"}"#.utf8)
    #expect(try JSONDecoder().decode(CamrecError.self, from: without) == CamrecError(.device, "gone"))
  }

  /// `Documentation/Reasons.md` lists every reason, once, and no other.
  @Test func documentListsTheReasons() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Documentation/Reasons.md"), encoding: .utf8)
    let listed = text.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("| `") else { return nil }
      return line.dropFirst(3).split(separator: "`").first.map(String.init)
    }
    #expect(listed.sorted() == RefusalReason.allCases.map(\.rawValue).sorted())
  }
}
