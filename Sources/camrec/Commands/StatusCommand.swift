import ArgumentParser
import ControlCodec
import ControlSocket
import Foundation
import Frames
import Platform
import Recorder
import RecorderAPI
import RecorderRemote
import Reporting
import Telemetry

/// `camrec status`.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what the recorders are doing.",
    usage: "camrec status [--json] [--all] [NAME|PATH …]\ncamrec status --forget [--json] [NAME|PATH …]",
    discussion: """
      A recorder writes its state file once a second (record --state). status reads only this file, so it costs the \
      recorder nothing, and works even if the recorder hangs or has crashed. Without a name, status shows the \
      recorders of this user and of the system: those that run, in full, and one line each for up to ten that have \
      ended or no longer run, and reported within the last day; one that could not start has more lines, with the \
      reason. --all shows every recorder in full.

      \(ExitStatusParagraphs.text(of: "camrec status") ?? "")
      """)

  @Flag(
    help: ArgumentHelp(
      "Print one line of JSON per recorder.",
      discussion: """
        health is runs, ended (it has reported its end; its process may still wait for the hook), silent (it runs, \
        but has not reported for over 5 s: it hangs, or cannot write its state file) or gone (it no longer runs, and \
        has not reported its end). With --forget, a line is printed for each recorder that is forgotten.
        """))
  var json = false

  @Flag(help: "Show every recorder in full, including old ones.")
  var all = false

  @Flag(
    help: ArgumentHelp(
      "Delete state files of recorders that no longer run, and print the names.",
      discussion: """
        Without a name, those of your recorders and of the system's; with a name, only those of that name. A \
        recorder whose process still runs keeps its file.
        """))
  var forget = false

  @Argument(
    help: ArgumentHelp("A recorder's --name, or its state file.", valueName: "NAME|PATH"),
    completion: .custom { _, _, typed in RecorderDirectory().names { _ in true } + StatusCommand.files(typed) })
  var recorders: [String] = []

  /// Completes paths: a state file may have any name.
  private static func files(_ typed: String) -> [String] {
    let folder = typed.hasSuffix("/") ? typed : PathText(typed).folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.compactMap { name in
      let path = folder.isEmpty ? name : PathText(folder).appending(name)
      var isFolder: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      return isFolder.boolValue ? path + "/" : path
    }
  }

  private struct Line: Encodable {
    let path: String
    let health: String
    let record: StateRecord
  }

  /// Seconds after which a recorder that no longer runs is left out.
  private static let expiry = 86_400.0
  /// The most recorders in the list that no longer run.
  private static let mostPast = 10

  func run() throws {
    let (known, refusals) = subjects()
    if forget {
      if let refusal = refusals.first { throw refusal }
      return try forget(known)
    }
    let isWhole = all || !recorders.isEmpty
    let shown = isWhole ? known : StatusCommand.current(known)
    if shown.isEmpty, refusals.isEmpty {
      throw CamrecError(
        .device, known.isEmpty
          ? "no recorder with a state file is running; start camrec, or name the file that you gave as --state"
          : StateDescription.onlyOlder(known.count, list: "--all", forget: "--forget"))
    }
    var areWell = true, wasLong = false
    for (place, recorder) in shown.enumerated() {
      if !isWell(recorder) { areWell = false }
      if json {
        printLine(recorder)
        continue
      }
      // A recorder that was refused has no more than the reason.
      let isLong = isWhole || recorder.isAlive || recorder.record.failedStarts != nil
      let lines =
        isLong
        ? StateDescription.lines(of: recorder.record, recorder.health)
        : [StateDescription.line(of: recorder.record, recorder.health)]
      Console.print((place > 0 && (isLong || wasLong) ? "\n" : "") + lines.joined(separator: "\n"))
      wasLong = isLong
    }
    if !json, shown.count < known.count {
      Console.print(
        "\n"
          + StateDescription.more(
            known.count - shown.count, list: "'camrec status --all'", forget: "'camrec status --forget'"))
    }
    // The other recorders were shown all the same.
    refusals.dropLast().forEach(HumanText.error)
    if let last = refusals.last { throw last }
    if !areWell { throw Camrec.Ending(status: .device) }
  }

  private func isWell(_ recorder: KnownRecorder) -> Bool {
    switch recorder.health {
    case .runs: true
    case .ended: recorders.isEmpty && recorder.record.state.failure == nil && recorder.record.state.startFailure == nil
    case .silent, .gone: false
    }
  }

  /// The recorders that run, and the latest of those that no longer do.
  private static func current(_ known: [KnownRecorder]) -> [KnownRecorder] {
    let past = known.filter { !$0.isAlive && Date().timeIntervalSince($0.record.time) <= expiry }
    return known.filter(\.isAlive) + past.prefix(mostPast)
  }

  private func forget(_ known: [KnownRecorder]) throws {
    var count = 0
    // One that has ended may still wait for its hook, and would write its file again.
    for recorder in known where !recorder.record.writer.isAlive {
      do {
        try FileManager.default.removeItem(atPath: recorder.path)
      } catch CocoaError.fileNoSuchFile {
        continue
      } catch {
        throw CamrecError(.output, "'\(recorder.path)' cannot be removed", cause: error.localizedDescription)
      }
      count += 1
      if json {
        printLine(recorder)
      } else {
        Console.print("forgotten: \(recorder.record.name), \(recorder.path)")
      }
    }
    let running = known.filter(\.record.writer.isAlive).map(\.record.name).joined(separator: ", ")
    if !running.isEmpty, !recorders.isEmpty {
      throw CamrecError(.usage, "cannot forget a running recorder: \(running)")
    }
    if count == 0, !json { Console.print("nothing to forget") }
  }

  private func printLine(_ recorder: KnownRecorder) {
    let line = Line(path: recorder.path, health: recorder.health.word, record: recorder.record)
    Console.print(json: Data(ControlProtocol.line(line)))
  }

  /// - Returns: the recorders, and why others that were asked for are not among them.
  private func subjects() -> (known: [KnownRecorder], refusals: [CamrecError]) {
    let directory = RecorderDirectory()
    if recorders.isEmpty { return (directory.recorders, []) }
    var known: [KnownRecorder] = [], refusals: [CamrecError] = []
    for recorder in recorders {
      // A recorder's name has no slash; everything else is a path.
      let named = recorder.contains("/") ? [] : directory.named(recorder)
      do throws(CamrecError) {
        known += try named.isEmpty ? [KnownRecorder(path: recorder)] : named
      } catch {
        refusals.append(error)
      }
    }
    return (known, refusals)
  }
}
