import ArgumentParser
import Foundation
import Frames
import Goldens
import SectionFile

/// A suite as its file says it: cases, and the folder of their goldens.
struct GoldenSuite {
  let path: String
  /// Of its goldens.
  let folder: GoldenFolder
  let cases: [GoldenCase]

  /// What is wrong with a suite's text; each by its place.
  struct Refusal: Error { let lines: [String] }

  /// - Parameters:
  ///   - path: as it was given.
  ///   - names: the cases that are meant; none: all.
  /// - Throws: `Refusal`, or `CamrecError` of code `input` for a file that cannot be read, `usage` for a name that no
  ///   case has.
  init(readingFile path: String, names: [String]) throws {
    let schema = try SectionSchema.ofSuite()
    let bytes = try NamedFile.read(path: path, what: "suite", limit: schema.byteLimit)
    var (file, findings) = SectionReader.read(bytes, schema: schema)
    let url = URL(fileURLWithPath: path)
    let home = url.deletingLastPathComponent().path
    var cases: [GoldenCase] = []
    for section in file?.sections ?? [] {
      var words = SectionArguments<GoldenCaseWords>(section)
      if let read = words.parse() { cases.append(GoldenCase(section.name, read, folder: home)) }
      findings += words.findings
    }
    guard findings.isEmpty else { throw Refusal(lines: GoldenSuite.once(findings).map { $0.line(file: path) }) }
    let chosen = try GoldenSuite.chosen(names, of: cases, path)
    self.path = path
    self.cases = chosen
    let named = file?.value("goldens")?.text ?? "\(url.deletingPathExtension().lastPathComponent).goldens"
    folder = GoldenFolder(path: named.hasPrefix("/") ? named : "\(home)/\(named)")
  }

  /// A default that is wrong is so for each case, and said once.
  private static func once(_ findings: [FileFinding]) -> [FileFinding] {
    var seen: Set<FileFinding> = []
    return findings.filter { seen.insert($0).inserted }
  }

  private static func chosen(_ names: [String], of cases: [GoldenCase], _ path: String) throws(CamrecError)
    -> [GoldenCase]
  {
    for name in names where !cases.contains(where: { $0.name == name }) {
      let there = cases.prefix(12).map(\.name).joined(separator: ", ") + (cases.count > 12 ? ", …" : "")
      throw CamrecError(.usage, "'\(path)' has no case '\(name)'; it has \(there)")
    }
    return names.isEmpty ? cases : cases.filter { names.contains($0.name) }
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
        "overwrite": "what is encoded is removed again", "json": "'--json FILE' of the command writes a report",
        "help": "'camrec golden --help' is for people", "version": "'camrec --version' says it",
      ], byteLimit: 8 << 20)
  }
}
