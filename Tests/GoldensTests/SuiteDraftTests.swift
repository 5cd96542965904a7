import Goldens
import Testing

@Suite struct SuiteDraftTests {
  private func names(_ paths: String...) -> [String] {
    SuiteDraft(clips: paths.map { .init(path: $0, digest: "0") }).names
  }

  @Test func casesAreNamedAfterTheirClips_withinWhatASuiteAllows() {
    #expect(
      names("a.mov", "b/take 1.mov", "ü_7.mp4", "0042.mov", "-x.mov")
        == ["a", "take-1", "clip-_7", "clip-0042", "clip-x"])
    #expect(names("a.mov", "b/a.mov", "c/a.mkv") == ["a", "a-2", "a-3"])
    let long = String(repeating: "l", count: 40)
    #expect(names("\(long).mov", "b/\(long).mov").map(\.count) == [32, 32])
    #expect(Set(names("\(long).mov", "b/\(long).mov")).count == 2)
  }

  @Test func pathsAreQuoted() {
    let text = SuiteDraft(clips: [.init(path: "a \"b\" \\ \n#: é.mov", digest: "00ff")]).text
    #expect(text.contains("    clip: \"a \\\"b\\\" \\\\ \\u000a#: é.mov\"\n    sha256: 00ff\n"), "\(text)")
  }
}
