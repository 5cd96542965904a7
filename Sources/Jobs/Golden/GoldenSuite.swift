import Assembly
package import Cluster
import Digest
import Foundation
import Frames
import Movies
import Goldens
import Platform
package import SectionFile

/// A suite as read from its file: cases, and the folder of their goldens.
package struct GoldenSuite {
  package let path: String
  /// The folder of its goldens.
  package let folder: GoldenFolder
  package let cases: [GoldenCase]
  /// The SHA-256 of its text.
  package let digest: String

  /// The errors in a suite's text, each with its place.
  package struct Refusal: Error { package let lines: [String] }

  /// - Parameters:
  ///   - path: as given.
  ///   - names: the cases to run; empty: all.
  ///   - shard: the part of these to run; the other cases are not parsed. `nil`: all.
  ///   - language: what a case may say.
  /// - Throws: `Refusal`, or `CamrecError` of code `input` for a file that cannot be read, `usage` for a name that no
  ///   case has, or a part without cases.
  package init(
    readingFile path: String, names: [String], shard: Shard? = nil, language: SectionLanguage<GoldenCaseSettings>
  ) throws {
    let schema = language.schema
    let bytes = try NamedFile.read(path: path, what: "suite", limit: schema.byteLimit)
    var (file, findings) = SectionReader.read(bytes, schema: schema)
    let home = PathText(PathText(path).absolute).folder
    var sections = file?.sections ?? []
    if let shard, findings.isEmpty {
      let chosen = try GoldenSuite.chosen(names, of: sections, path, \.name).enumerated()
      sections = chosen.filter { shard.has($0.offset) }.map(\.element)
      guard !sections.isEmpty else {
        throw CamrecError(.usage, "part \(shard.text) of '\(path)' is empty; use fewer parts")
      }
    }
    var cases: [GoldenCase] = []
    for section in sections {
      var words = SectionArguments(section, language)
      let read: GoldenCaseSettings?
      if let finding = GoldenSuite.missingDigest(section, home) {
        // Parse the rest with a placeholder, so that one run reports all mistakes.
        findings.append(finding)
        read = words.parse(adding: ["--sha256=\(String(repeating: "0", count: 64))"])
      } else {
        read = words.parse()
      }
      if let read {
        GoldenCaseCheck.check(read, in: &words)
        cases.append(GoldenCase(section.name, read, folder: home))
      }
      findings += words.findings
    }
    guard findings.isEmpty else { throw Refusal(lines: GoldenSuite.once(findings).map { $0.line(file: path) }) }
    self.path = path
    self.cases = shard == nil ? try GoldenSuite.chosen(names, of: cases, path, \.name) : cases
    digest = SHA256.hash(bytes)
    let named = file?.value("goldens")?.text ?? "\(PathText(path).stem).goldens"
    folder = GoldenFolder(path: named.hasPrefix("/") ? named : "\(home)/\(named)")
  }

  /// A case without its clip's hash: nobody would notice another clip.
  private static func missingDigest(_ section: SectionFile.Section, _ home: String) -> FileFinding? {
    guard section.setting("sha256") == nil, !section.refused.contains("sha256"),
      let clip = section.setting("clip")?.values.first?.text
    else { return nil }
    let path = clip.hasPrefix("/") ? clip : "\(home)/\(clip)"
    return FileFinding(
      .error, section.place, key: section.path,
      "'sha256' is missing, which detects a changed clip; to print it, run sha256sum \(ShellWord.of(path))")
  }

  /// A wrong default affects every case; report it once.
  private static func once(_ findings: [FileFinding]) -> [FileFinding] {
    var seen: Set<FileFinding> = []
    return findings.filter { seen.insert($0).inserted }
  }

  private static func chosen<Case>(_ names: [String], of cases: [Case], _ path: String, _ name: (Case) -> String)
    throws(CamrecError) -> [Case]
  {
    let all = cases.map(name)
    for name in names where !all.contains(name) {
      let there = all.prefix(12).joined(separator: ", ") + (all.count > 12 ? ", …" : "")
      throw CamrecError(.usage, "'\(path)' has no case '\(name)'; it has \(there)")
    }
    return names.isEmpty ? cases : cases.filter { names.contains(name($0)) }
  }
}
