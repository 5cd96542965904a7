import ArgumentParser
import Assembly
import Foundation
import Frames
import Reporting
import Verification

/// `camrec verify FILE …`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check a film for playback and editing problems.",
    usage: "camrec verify [--json] FILE …",
    discussion: """
      Checks a film, or a .mov or .mp4 that another program made, but not a .mkv. It compares what the atoms say with \
      the first and last frame as FFmpeg decodes them. The checks cover the index and whether it is complete, \
      fragments, codec tag (hvc1), colour (colr) against that of the frames, display matrix, size, exact frame rate, \
      sample durations, edit lists, key frames, timecode, PCM, where the tracks begin and end, and what camrec writes \
      into its own films. Each finding has its severity, the atom and its offset in the file, what it breaks, and how \
      to fix it. The file is not changed.

      error: at least one common player or editor will not play the film correctly. warning: some programs will \
      show the film differently. note: harmless.

      \(ExitStatusParagraphs.text(of: "camrec verify") ?? "")

      --json prints one object per film: format "camrec-verify" and version 1; path, verdict (ok, warning, error; \
      failed, if the film cannot be read or is in use: sentence then says why), findings (severity, atom, offset, \
      finding, breaks, remedy), and facts: brand, bytes, duration, isInFragments, metadata, and for each track its \
      kind, format, samples, start, end, and more that depends on the kind.
      """)

  @Flag(help: "Print a JSON object per film.") var json = false

  @Argument(help: ArgumentHelp("The films.", valueName: "FILE"), completion: .file(extensions: ["mov", "mp4", "m4v"]))
  var paths: [String]

  func run() throws {
    var status = ExitStatus.success
    for path in paths {
      do throws(CamrecError) {
        let report = VerificationReport(try FilmCheck.opening(path), path: path)
        if json { write(report) } else { Console.print(report.text) }
        switch report.worst {
        case .error?: status.add(.unfit)
        case .warning?: status.add(.odd)
        default: break
        }
      } catch {
        if json { JSONLine.print(FailedVerification(path: path, sentence: error.description)) }
        HumanText.error(error)
        status.add(ExitStatus(error))
      }
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  /// The report on a film that could not be read.
  private struct FailedVerification: Encodable {
    let format = "camrec-verify"
    let version = 1
    let verdict = "failed"
    let path: String
    let sentence: String
  }

  private func write(_ report: VerificationReport) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only finite numbers and texts, which JSON can always hold.
    if let line = try? encoder.encode(report) { Console.print(json: line) }
  }
}
