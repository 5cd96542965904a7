import ArgumentParser
import Foundation
import Frames
import Platform
import RecorderRemote
import Recovery
import Reporting

/// `camrec recover PATH …`.
struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Recover films that a crash left unfinished.",
    usage: "camrec recover [--check] [--json] [--output FILE.mov] PATH …",
    discussion: """
      A recording that was killed, or lost its power or its disk, leaves a .mov in fragments, which plays. recover \
      turns it into an ordinary film, with its timecode, rotation and colours, and every frame and audio sample as \
      recorded. PATH is a film, its sidecar, or a folder. In a folder, recover takes every unfinished .mov made by \
      camrec, also in subfolders. A .mkv needs no recovery: it plays up to where it was cut off.

      recover works in place and takes almost no time: it appends an index and, when that is on the disk, puts it to \
      use with one write of 16 bytes. Damaged data that it finds stays in the file, but nothing refers to it. With \
      --output, recover leaves the original unchanged and writes a copy.

      recover leaves a finished film alone, and refuses a film that is being recorded or recovered; file locks show \
      which ones are. Some network file systems have no locks. On such a disk, recover works in place only if the film \
      has not changed for ten seconds and no recorder on this machine reports that it is recording it. --force skips \
      this check.

      recover also finds the fragments after damage. Their frames keep their times: the last frame before a gap lasts \
      until the next one, and silence replaces the lost audio. recover adds to the sidecar what it found, which frames \
      listed there are missing from the film, how many waited to be written, and how much audio is missing at its \
      end; 'camrec info' shows all of it.

      recover removes two kinds of files, whether you name the file or its folder: those that camrec had prepared for \
      a film, but that have no data, and the partial films of a killed bake (.take.mov.part-…); bake their clips \
      again. A complete film under such a name stays, and so do both kinds on a disk without locks. A film with a \
      sidecar or at least a part of its header, but without a frame, stays where it is; so does an empty file (of 0 \
      bytes).

      --json prints one object per film: format "camrec-recover" and version 1; path, verdict, output, frames, \
      seconds, soundSamples, silentSamples, lostBytes, damages, missing, unlisted, unwritten and missingSamples \
      (compared with the sidecar), lacksTimecode, and sentence (the message that camrec prints). The verdicts are:

        recovered    it is an ordinary film now
        recoverable  with --check: it would be recovered
        removed      the file had no data, because camrec had only prepared it
                     or was cut off before it wrote any; the file is gone
        unbegun      with --check: the file has no data (see removed), and would
                     be removed
        discarded    it was the partial film of a killed bake, and is gone
        leftover     with --check: it is the partial film of a killed bake, and
                     would be removed
        empty        in a folder: the file has 0 bytes, or its film has a sidecar
                     or at least a part of its header, but no frame; it stays
        finished     it is an ordinary film already
        matroska     it is a .mkv, which needs nothing
        hashes       it is a hash recording, which needs nothing
        nothing      the folder has no unfinished film
        failed       it could not be recovered; the sentence says why
      """)

  @Flag(
    name: [.customLong("check"), .customLong("dry-run")],
    help: ArgumentHelp(
      "Change nothing, and show what would be done.",
      discussion: "The exit status is 4 if there is something to do."))
  var isDry = false

  @Flag(help: "Print a JSON object per film.")
  var json = false

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp("Write a new file and leave the original unchanged; for one film.", valueName: "FILE.mov"),
    completion: .file(extensions: ["mov"]))
  var output: String?

  @Flag(
    help: ArgumentHelp(
      "Skip the check for a recorder where the file system has no locks.",
      discussion: "camrec then recovers a film even if somebody may be recording it."))
  var force = false

  @Argument(help: ArgumentHelp("Films, their sidecars, or folders.", valueName: "PATH"), completion: .file())
  var paths: [String]

  func validate() throws {
    guard let output else { return }
    guard output.lowercased().hasSuffix(".mov") else {
      throw ValidationError("a recovered film is a .mov; choose an --output that ends in .mov")
    }
    guard paths.count == 1, !RecoverCommand.isFolder(paths[0]) else {
      throw ValidationError("--output is for one film; leave it out to recover several in place")
    }
  }

  func run() throws {
    let directory = RecorderDirectory()
    let recovery = FilmRecovery(
      isDry: isDry, output: output, isForced: force, isBeingRecorded: { directory.isRecording($0) })
    var status = ExitStatus.success
    for path in paths {
      do throws(CamrecError) {
        guard RecoverCommand.isFolder(path) else {
          status.add(tell(try recovery.recover(path)))
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
          let sentence = "'\(path)' holds nothing to recover"
          if json {
            write(RecoveryReport(nothingIn: path, sentence))
          } else {
            Console.print(VisibleText.line(sentence))
          }
        }
        for film in leftovers { status.add(tell(film)) }
        for entry in entries {
          switch entry {
          case .film(let film): status.add(tell(film))
          case .left(let path, let error): status.add(tell(error, path))
          }
        }
      } catch {
        status.add(tell(error, path))
      }
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  /// - Returns: the exit status for it.
  private func tell(_ film: RecoveredFilm) -> ExitStatus {
    if json {
      write(RecoveryReport(film))
    } else {
      Console.print(VisibleText.line(film.sentence))
    }
    return film.verdict.isToBeDone ? .odd : .success
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
