import ArgumentParser
import Assembly
import Foundation
import Frames
import Jobs
import Movies
import Goldens
import MediaFFmpeg
import Platform
import Reporting
import SectionFile

/// `camrec golden add`.
struct GoldenAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add clips to a suite.", usage: "camrec golden add SUITE.yaml CLIP …",
    discussion: """
      Appends a case for each clip to the suite: its path and its SHA-256. The rest of the suite is left unchanged. \
      Then run 'camrec golden record' to make the new goldens.
      """)

  @Argument(help: ArgumentHelp("The suite.", valueName: "SUITE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var suite: String

  @Argument(help: ArgumentHelp("The clips to add.", valueName: "CLIP"), completion: .file()) var clips: [String]

  func run() throws {
    do {
      let names = try add()
      Console.print("\(suite): added \(HumanText.count(names.count, "case")): \(names.joined(separator: ", "))")
      Console.print("next: camrec golden record \(ShellWord.of(suite)) \(names.joined(separator: " "))")
    } catch let refusal as GoldenSuite.Refusal {
      refusal.lines.forEach { HumanText.write($0 + "\n") }
      throw Camrec.Ending(status: .usage)
    }
  }

  /// - Returns: the new cases' names.
  private func add() throws -> [String] {
    let language = try SectionLanguage.cases(), schema = language.schema
    let found = try GoldenSuite(readingFile: suite, names: [], language: language)
    let bytes = try NamedFile.read(path: suite, what: "suite", limit: schema.byteLimit)
    guard let last = SectionReader.read(bytes, schema: schema).file?.sections.last?.place else {
      throw CamrecError(.defect, "the suite '\(suite)' has no case")
    }
    var known = Set(found.cases.map { PathText($0.path).resolved })
    var drafts: [SuiteDraft.Clip] = []
    for clip in clips {
      let whole = PathText(clip).absolute
      let path = GoldenInitCommand.path(to: whole, from: suite)
      guard SuiteDraft.takes(path) else { throw CamrecError(.usage, "'\(clip)': \(SuiteDraft.refusal)") }
      guard known.insert(PathText(whole).resolved).inserted else {
        throw CamrecError(.usage, "'\(clip)' is already in '\(suite)', or you named it twice")
      }
      _ = try ClipCamera.open(path: clip, paced: false, frames: 1)
      drafts.append(.init(path: path, digest: try NamedFile.digest(path: clip, what: "clip")))
    }
    let names = SuiteDraft(clips: drafts).names(beside: Set(found.cases.map(\.name)))
    var text = String(decoding: bytes, as: UTF8.self)
    for (name, clip) in zip(names, drafts).reversed() {
      guard let longer = SuiteText(text).adding(clip, name: name, behind: last.line, column: last.column) else {
        throw CamrecError(
          .input,
          "the cases of '\(suite)' are not on lines of their own; add the new one yourself:"
            + " \(name): {clip: \(clip.path), sha256: \(clip.digest)}")
      }
      text = longer
    }
    let read = SectionReader.read(Array(text.utf8), schema: schema)
    guard read.findings.isEmpty, read.file?.sections.map(\.name) == found.cases.map(\.name) + names else {
      throw CamrecError(.input, "camrec cannot add a case to '\(suite)' as it is written; add it yourself")
    }
    do throws(CamrecError) { try NewFile.write(Array(text.utf8), to: suite, overwrite: true) } catch {
      throw CamrecError(.output, "'\(suite)' cannot be written", cause: error.cause ?? error.message)
    }
    return names
  }
}
