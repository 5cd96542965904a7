import Foundation
import TestKit
import Testing

/// Sentences that natives stopped at do not come back. `Tests/English/fragments.txt` lists pieces of them, one a line.
@Suite struct PlainEnglishTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func fragments() throws -> [String] {
    try String(contentsOf: root.appending(path: "Tests/English/fragments.txt"), encoding: .utf8)
      .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  /// A sentence may stand on several lines, of comments or of literals that are joined.
  private static func running(_ text: String) -> String {
    text.replacing(/"\s*\+\s*"/, with: "").replacing(/\\?\n\s*(?:\/\/\/?|#|\*)?\s*/, with: " ").lowercased()
  }

  private static func findings(_ text: String, _ place: String, _ fragments: [String]) -> [String] {
    let text = running(text)
    return fragments.filter { text.contains($0.lowercased()) }.map { "\(place): \($0)" }
  }

  @Test func sourcesAndDocuments_haveNoneOfThem() throws {
    let fragments = try PlainEnglishTests.fragments()
    #expect(fragments.count >= 100)
    var findings: [String] = [], files = 0
    for place in ["Sources", "Documentation", "Packaging", "scripts", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"] {
      let url = PlainEnglishTests.root.appending(path: place)
      let below = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
      for file in below.flatMap({ $0.isEmpty ? nil : $0 }) ?? [url] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
        files += 1
        findings += PlainEnglishTests.findings(text, file.path, fragments)
      }
    }
    #expect(files > 500)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
  }

  @Test func helpAndManual_haveNoneOfThem() throws {
    let camrec = try CamrecBinary.find()
    let dump = try JSONSerialization.jsonObject(
      with: Data(try camrec.run(["--experimental-dump-help"]).standardOutput.utf8))
    var commands: [[String]] = [[]]
    func visit(_ command: [String: Any], _ path: [String]) {
      for child in command["subcommands"] as? [[String: Any]] ?? [] {
        guard let name = child["commandName"] as? String, name != "help" else { continue }
        commands.append(path + [name])
        visit(child, path + [name])
      }
    }
    visit(try #require((dump as? [String: Any])?["command"] as? [String: Any]), [])
    #expect(commands.count > 40)
    let fragments = try PlainEnglishTests.fragments()
    var findings = PlainEnglishTests.findings(try camrec.run(["manual"]).standardOutput, "the manual", fragments)
    for command in commands {
      for kind in ["-h", "--help"] {
        let words = command + [kind]
        findings += PlainEnglishTests.findings(
          try camrec.run(words).standardOutput, words.joined(separator: " "), fragments)
      }
    }
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
  }

  @Test func aFragment_isFoundAcrossLines() {
    let text = "  /// One that\n  /// does not come out.\n  say(\"a film that was \"\n    + \"stopped before its end\")"
    #expect(PlainEnglishTests.findings(text, "x", ["one that does", "was stopped before", "nothing"]).count == 2)
  }
}
