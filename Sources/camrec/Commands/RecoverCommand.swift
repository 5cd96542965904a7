import ArgumentParser
import Foundation
import Frames
import Recovery

/// `camrec recover PATH …`.
struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Make ordinary films of what a crash has left.",
    usage: "camrec recover [--check] [--json] [--output FILE.mov] PATH …",
    discussion: """
      A recording that was killed, or lost its power or its disk, leaves a .mov in fragments, which plays. This makes an \
      ordinary one of it, with its timecode, rotation, colour and sound and every sample as it was recorded; nothing else \
      is needed. PATH is a film, its sidecar, or a folder: then every unfinished .mov of camrec's below it.

      It is done where the film lies, in about no time: an index is appended, and when that is on the disk, one write of 16 \
      bytes puts it to use, as at a clean stop. What was torn or overwritten stays in the file, and nothing points at it. With \
      --output the original stays as it is, and a copy becomes the film. A finished film is left alone; one that is being \
      recorded, or recovered by somebody else, is refused. Some network file systems have no locks, which tell that: there a \
      film is recovered in place only when it has not changed for ten seconds and no recorder of this computer says that it \
      records it. --force leaves this check out.

      A fragment behind damage is found again. Its frames stand at their own times: the picture in front of a hole stays until \
      then, and silence stands for the lost sound. The sidecar gets a record of what was found, and which of the frames that it \
      knows are not in the film; 'camrec info' tells it. A file that was made ready for the next segment, and whose recorder \
      was killed before that began, has no frame and is removed. So is what a killed bake has left \
      (.take.mov.part-…), in a folder or named itself, which is not whole: bake its clip again.

      With --json one object per film: format "camrec-recover" and its version, 1; path, verdict (recovered, recoverable, \
      removed, unbegun, discarded, leftover, finished, matroska, hashes, nothing in a folder, failed), \
      output, frames, seconds, soundSamples, silentSamples, lostBytes, \
      damages, missing and unlisted (against the sidecar), lacksTimecode, and the sentence.
      """)

  @Flag(
    name: [.customLong("check"), .customLong("dry-run")],
    help: "Change nothing: say what would be done, with status 4 where there is something.")
  var isDry = false

  @Flag(help: "Print a JSON object per film.")
  var json = false

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp("Make a new file and leave the original as it is; for one film.", valueName: "FILE.mov"),
    completion: .file(extensions: ["mov"]))
  var output: String?

  @Flag(
    help: "Where the file system has no locks: recover in place without checking that nobody is recording the film.")
  var force = false

  @Argument(help: ArgumentHelp("Films, their sidecars, or folders.", valueName: "PATH"), completion: .file())
  var paths: [String]

  func validate() throws {
    guard let output else { return }
    guard output.lowercased().hasSuffix(".mov") else {
      throw ValidationError("a recovered film is a .mov; let the name of --output end in .mov")
    }
    guard paths.count == 1, !RecoverCommand.isFolder(paths[0]) else {
      throw ValidationError("--output is for one film; recover several where they lie")
    }
  }

  func run() throws {
    let recovery = FilmRecovery(
      isDry: isDry, output: output, isForced: force, isBeingRecorded: { LivingRecorders.record($0) })
    var status = ExitStatus.success
    for path in paths {
      do throws(CamrecError) {
        guard RecoverCommand.isFolder(path) else {
          status = tell(try recovery.recover(path)) ?? status
          continue
        }
        var progress: WorkProgress?
        defer { progress?.close() }
        let entries = try recovery.recoverAll(in: path) { done, total in
          let told = progress ?? WorkProgress("recovering", "films", total: total)
          told.reach(done)
          progress = told
        }
        progress?.close()
        let leftovers = try recovery.takeLeftovers(in: path)
        if entries.isEmpty, leftovers.isEmpty {
          let sentence = "'\(path)' holds no unfinished film"
          if json { write(RecoveryReport(nothingIn: path, sentence)) } else { Console.print(sentence) }
        }
        for film in leftovers { status = tell(film) ?? status }
        for entry in entries {
          switch entry {
          case .film(let film): status = tell(film) ?? status
          case .left(let path, let error): status = tell(error, path)
          }
        }
      } catch {
        status = tell(error, path)
      }
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  /// - Returns: the exit status that it means, where that is not success.
  private func tell(_ film: RecoveredFilm) -> ExitStatus? {
    if json {
      write(RecoveryReport(film))
    } else {
      Console.print(film.sentence)
    }
    return film.verdict.isToBeDone ? .odd : nil
  }

  private func tell(_ error: CamrecError, _ path: String) -> ExitStatus {
    if json { write(RecoveryReport(error, path: path)) }
    HumanText.error(error)
    return ExitStatus(error)
  }

  private func write(_ report: RecoveryReport) { JSONLine.print(report) }

  private static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}
