import ArgumentParser
import Cluster
import Digest
import Foundation
import Frames
import Movies
import Goldens
import SectionFile

/// A suite as its file says it: cases, and the folder of their goldens.
struct GoldenSuite {
  let path: String
  /// Of its goldens.
  let folder: GoldenFolder
  let cases: [GoldenCase]
  /// The SHA-256 of its text.
  let digest: String

  /// What is wrong with a suite's text; each by its place.
  struct Refusal: Error { let lines: [String] }

  /// - Parameters:
  ///   - path: as it was given.
  ///   - names: the cases that are meant; none: all.
  ///   - shard: the part of these that is meant; the words of the others are not looked at. `nil`: all.
  /// - Throws: `Refusal`, or `CamrecError` of code `input` for a file that cannot be read, `usage` for a name that no
  ///   case has, or a part without cases.
  init(readingFile path: String, names: [String], shard: Shard? = nil) throws {
    let schema = try SectionSchema.ofSuite()
    let bytes = try NamedFile.read(path: path, what: "suite", limit: schema.byteLimit)
    var (file, findings) = SectionReader.read(bytes, schema: schema)
    let home = PathText(PathText(path).absolute).folder
    var sections = file?.sections ?? []
    if let shard, findings.isEmpty {
      let chosen = try GoldenSuite.chosen(names, of: sections, path, \.name).enumerated()
      sections = chosen.filter { shard.has($0.offset) }.map(\.element)
      guard !sections.isEmpty else {
        throw CamrecError(.usage, "part \(shard.text) of '\(path)' has none of its cases; make fewer parts")
      }
    }
    var cases: [GoldenCase] = []
    for section in sections {
      var words = SectionArguments<GoldenCaseWords>(section)
      if let finding = GoldenSuite.missingDigest(section, home) {
        // With any digest the rest is looked at as well: whatever is wrong is said at once.
        findings.append(finding)
        _ = words.parse(adding: ["--sha256=\(String(repeating: "0", count: 64))"])
      } else if let read = words.parse() {
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

  /// A case whose clip may be another tomorrow, and nobody would know.
  private static func missingDigest(_ section: SectionFile.Section, _ home: String) -> FileFinding? {
    guard section.setting("sha256") == nil, !section.refused.contains("sha256"),
      let clip = section.setting("clip")?.values.first?.text
    else { return nil }
    let path = clip.hasPrefix("/") ? clip : "\(home)/\(clip)"
    return FileFinding(
      .error, section.place, key: section.path,
      "'sha256' is missing, by which another clip of that name is known; this prints it: sha256sum"
        + " \(ShellWord.of(path))")
  }

  /// A default that is wrong is so for each case, and said once.
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

extension SectionSchema {
  /// What a case may say.
  ///
  /// - Throws: where the words' description of themselves cannot be read, which is a defect.
  static func ofSuite() throws -> SectionSchema {
    let words = try CommandInfo(dump: GoldenCaseWords._dumpHelp())
    return SectionSchema(
      names: Names(file: "suite", one: "case", all: "cases", limit: 10_000), keys: ["goldens"],
      options: words.sectionOptions,
      refused: [
        "workers": "goldens are the same with every number of workers",
        "bake-on": "goldens are the same on every device", "cores": "goldens are the same with every number of threads",
        "overwrite": "what is encoded is removed again", "json": "'--report FILE' of the command writes a report",
        "help": "'camrec golden --help' is for people", "version": "'camrec --version' says it",
      ], byteLimit: 8 << 20)
  }
}
