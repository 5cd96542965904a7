import ArgumentParser
import Assembly
import Foundation
import Frames
import Platform
import Reporting
import Terminal

/// The command line's root.
@main
struct Camrec: ParsableCommand {
  static let version = Product.version

  static let introduction = """
    Without a subcommand, camrec records; 'camrec record --help' lists the options. Ctrl-C or SIGTERM finishes the \
    film. A second one, at least 0.3 s later, ends camrec at once; then run 'camrec recover' to finish the film. At \
    the end camrec prints the ledger: the frames expected by the camera's own count, the frames captured and written, \
    and every loss with its reason.
    """

  static let examples = [
    "camrec --camera sim --duration 5s --lut LUTs/log2709.cube",
    "camrec --fps 24 --lut LUTs/log2709.cube",
    "camrec ctl ev +1/3",
    "camrec status",
    "camrec bake take.mov --lut look.cube --output graded.mov",
    "camrec bracket --shadow 1/4 --highlight 1/1000 --frames 5 --spacing 1",
    "camrec info take.mov",
    "camrec recover films/",
    "camrec verify take.mov",
    "camrec devices",
  ]

  static let configuration = CommandConfiguration(
    commandName: "camrec",
    abstract: "Record a camera, bake in a LUT or a look if you give one, and account for every frame.",
    usage: "camrec [record] [--camera CAMERA] [--lut FILE.cube] [--output PATH] [OPTION …]\n"
      + "camrec rig|status|ctl|view|snapshot|bake|golden|compare|info|verify|recover|keep|hooks|devices|controls …\n"
      + "camrec doctor|bench|look|lut|bracket|meter|exposure|help …",
    discussion: """
      \(introduction)

      \(examples.map { "  " + $0 }.joined(separator: "\n"))

      'camrec -h' lists the ten options to begin with; 'man camrec' (not installed: 'camrec manual | man -l -') \
      explains every exit status.
      """,
    version: version,
    subcommands: [
      RecordCommand.self, RigCommand.self, StatusCommand.self, CtlCommand.self, ViewCommand.self, SnapshotCommand.self,
      BakeCommand.self, BenchCommand.self,
      DoctorCommand.self, InfoCommand.self, RecoverCommand.self, VerifyCommand.self, CompareCommand.self,
      GoldenCommand.self, KeepCommand.self, HooksCommand.self, ControlsCommand.self,
      DevicesCommand.self, LookCommand.self, LUTCommand.self, BracketCommand.self, MeterCommand.self,
      ExposureCommand.self, ManualCommand.self,
    ],
    defaultSubcommand: RecordCommand.self)

  static func main() {
    _ = ProcessClock.launch
    StopSignals.ignoreFaults()
    let words = RecorderSnapshot.rewriting(Array(CommandLine.arguments.dropFirst()))
    do {
      if let sentence = Camrec.argumentThatIsNoText { throw CamrecError(.usage, sentence) }
      if let sentence = MistypedCommand.sentence(for: words) { throw CamrecError(.usage, sentence) }
      if ShortHelp.isAsked(words) {
        Console.print(ShortHelp.text)
        leave(.success)
      }
      if let help = try BriefHelp.text(for: words) {
        Console.print(help)
        leave(.success)
      }
      var command = try parseAsRoot(OldReportOption.rewriting(words))
      try command.run()
      leave(.success)
    } catch let error as CamrecError {
      EarlyRefusal(words).tell(error) { HumanText.error(error) }
      leave(ExitStatus(error))
    } catch let ending as Ending {
      leave(ending.status)
    } catch where exitCode(for: error) == .validationFailure {
      EarlyRefusal(words).tell(CamrecError(.usage, message(for: error))) {
        // The sentence and the usage; the help of one option would only repeat it.
        let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        HumanText.write(lines.filter { !$0.hasPrefix("Help:") }.joined(separator: "\n") + "\n")
      }
      leave(.usage)
    } catch where exitCode(for: error) == .success {
      // Help, a version, a completion script.
      let text = fullMessage(for: error)
      let shell = CompletionScript.shell(askedForBy: words)
      Console.output.write(shell.map { CompletionScript.whole(text, for: $0) } ?? text)
      leave(.success)
    } catch {
      exit(withError: error)
    }
  }

  /// The error for an argument that is not UTF-8. Swift would alter its bytes, and so the film's name.
  private static var argumentThatIsNoText: String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = unsafe CommandLine.unsafeArgv[index], unsafe String(validatingCString: bytes) == nil else {
        continue
      }
      let shown = unsafe UnsafeBufferPointer(start: bytes, count: strlen(bytes)).map { byte in
        let isPlain = (0x20..<0x7F).contains(byte)
        return isPlain ? String(UnicodeScalar(UInt8(byte))) : String(format: "\\x%02x", UInt8(bitPattern: byte))
      }
      return "argument \(index) ('\(shown.joined())') is not UTF-8; rename the file, or give another name"
    }
    return nil
  }

  private static func leave(_ status: ExitStatus) -> Never {
    Console.finish()
    do throws(CamrecError) {
      try Console.check()
      Foundation.exit(status.rawValue)
    } catch {
      // Whoever has closed the pipe knows it, as 'head' does.
      if !Console.isPipeClosed { HumanText.error(error) }
      Console.finish()
      Foundation.exit(ExitStatus.worst(of: [status, .output]).rawValue)
    }
  }

  /// Thrown by a command that has printed everything; only the exit status is left.
  struct Ending: Error {
    let status: ExitStatus
  }
}
