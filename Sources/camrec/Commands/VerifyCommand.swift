import ArgumentParser
import Foundation
import Frames
import Verification

/// `camrec verify FILE …`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Say what players and editors will take amiss in a .mov or .mp4.",
    usage: "camrec verify [--json] FILE …",
    discussion: """
      Reads the atoms of a film, anybody's, and the first and last picture with FFmpeg's decoder, and holds them \
      against each other: the index and whether it is complete, fragments, codec tag (hvc1), colour (colr) against \
      that of the pictures, matrix, size, exact rate, sample durations, edit lists, key frames, timecode, PCM, where \
      the tracks begin and end, and what camrec writes into its own films. Each finding has its severity, the atom and \
      its offset in the file, what it breaks, and what mends it. The file is not changed.

      An error is what keeps the film from playing as it was meant in a program that films are made for; a warning, \
      what some programs show otherwise; a note does no harm.

      With --json one object per film: format "camrec-verify" and its version, 1; path, verdict (ok, warning, error; \
      failed, with the sentence, where there is no film to look at), findings (severity, atom, offset, finding, breaks, \
      remedy), and facts: brand, bytes, duration, isInFragments, metadata, and of each track kind, format, samples, \
      start, end, and what it is of.
      """)

  @Flag(help: "Print a JSON object per film.") var json = false

  @Argument(help: ArgumentHelp("Films.", valueName: "FILE"), completion: .file(extensions: ["mov", "mp4", "m4v"]))
  var paths: [String]

  func run() throws {
    var status = ExitStatus.success
    for path in paths {
      do throws(CamrecError) {
        let report = VerificationReport(try FilmCheck.opening(path), path: path)
        if json { write(report) } else { Console.print(report.text) }
        switch report.worst {
        case .error? where status != .input: status = .unfit
        case .warning? where status == .success: status = .odd
        default: break
        }
      } catch {
        if json { JSONLine.print(FailedVerification(path: path, sentence: error.description)) }
        HumanText.error(error)
        status = ExitStatus(error)
      }
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  /// Of a film that could not be looked at.
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
    // Of finite numbers and texts: nothing that JSON does not have.
    if let line = try? encoder.encode(report) { Console.print(json: line) }
  }
}
