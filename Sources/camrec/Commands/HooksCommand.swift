import ArgumentParser
import Assembly
import Foundation
import Frames
import Reporting
import Retention

/// `camrec hooks FOLDER`.
struct HooksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hooks",
    abstract: "List the films of a folder that wait for their hook, or release them.",
    usage: "camrec hooks [--release] [--name NAME] [--json] [FOLDER]",
    discussion: """
      camrec does not delete a film that waits for its hook (record --hook), until the hook succeeds or camrec gives \
      up (--hook-tries). If the film's recorder no longer has a hook, or no longer exists, release the film with \
      --release: the hook does not run for it, and camrec may delete it.

      --json prints one object per film: format "camrec-hooks" and version 1; film, recorder, bytes, state (waiting, \
      released, or failed if the hook has failed and will run again), tries, and error (the last one).
      """)

  @Flag(help: "Release the films without running the hook.")
  var release = false

  @Flag(help: "Print a JSON object per film.")
  var json = false

  @Option(help: ArgumentHelp("Only films of this recorder.", valueName: "NAME"))
  var name: String?

  @Argument(help: ArgumentHelp("The folder with the films.", valueName: "FOLDER"), completion: .directory)
  var folder = "."

  func run() throws {
    do throws(CamrecError) {
      let films = try HooksCommand.open(folder)
      let now = FilmKeeping.moment()
      let waiting = try films.entries(at: now).filter {
        $0.hook?.isGivenUp == false && (name == nil || $0.film.recorder == name)
      }
      for entry in waiting {
        let tries = entry.hook?.tries ?? 0
        if release { try films.hooked(.init(id: entry.film.id, outcome: .done, tries: tries, moment: now)) }
        if json {
          JSONLine.print(
            Report(
              film: entry.film.film, recorder: entry.film.recorder, bytes: entry.film.bytes,
              state: release ? "released" : tries == 0 ? "waiting" : "failed", tries: tries, error: entry.hook?.error))
          continue
        }
        let state =
          release
          ? "released" : tries == 0 ? "waiting" : "failed \(tries)×: \(entry.hook?.error ?? "no reason is known")"
        Console.print("\(entry.film.film)  \(entry.film.recorder)  \(HumanText.bytes(entry.film.bytes))  \(state)")
      }
      if json { return }
      let bytes = waiting.reduce(Int64(0)) { $0.addingSaturated($1.film.bytes) }
      let verb = release ? "released" : waiting.count == 1 ? "waits for a hook" : "wait for a hook"
      Console.print("\(RetentionSentences.films(waiting.count)) (\(HumanText.bytes(bytes))) \(verb)")
    } catch {
      HumanText.error(error)
      throw Camrec.Ending(status: ExitStatus(error))
    }
  }

  /// Opening a folder only reads, so its failure is one of the input, unlike a recorder's.
  private static func open(_ folder: String) throws(CamrecError) -> FilmFolder {
    do throws(CamrecError) {
      return try FilmFolder(path: folder)
    } catch {
      throw CamrecError(.input, error.message, cause: error.cause)
    }
  }

  private struct Report: Encodable {
    let format = "camrec-hooks"
    let version = 1
    let film: String
    let recorder: String
    let bytes: Int64
    let state: String
    let tries: Int
    let error: String?
  }
}
