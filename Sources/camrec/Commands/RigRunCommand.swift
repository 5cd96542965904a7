import ArgumentParser
import Assembly
import ControlSocket
import Foundation
import Frames
import Platform
import RecorderRemote
import Reporting
import Rig
import SectionFile
import Supervision

/// `camrec rig [run] FILE.yaml`.
struct RigRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run the cameras of a rig file until Ctrl-C.", usage: "camrec rig [--json] FILE.yaml",
    discussion: """
      Each camera has a recorder, which is a process of its own: whatever happens to one, the others continue. camrec \
      restarts a recorder that fails or hangs, after 1 s, then 2, 4 … up to 60 s, for as long as the rig runs: a \
      missing folder, LUT or camera may come back. A rig does not start if its file has a mistake (exit status 64), \
      or if the file cannot be read or can be changed by others (65). Ctrl-C, SIGTERM and SIGHUP finish every film. A \
      second one, at least 0.3 s later, ends the rig and its recorders at once; the rig's next start then finishes \
      the films. If the rig itself is killed, its recorders finish their films and end. 'camrec ctl --name NAME' \
      controls a camera.
      """)

  @Flag(help: "Print events, one JSON object per line, with the camera's name.") var json = false

  @Argument(
    help: ArgumentHelp("The rig file.", valueName: "FILE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var path: String

  @OptionGroup(title: "Log") var log: LogOptions

  func run() throws {
    log.waitForNobody()
    let manager = ServiceManager.take()
    let narrator = RigNarrator(json: json, log: log.logger([:]), passesLines: log.isLines)
    let plan = try RigPlan(readingFile: path, looksAround: false, language: .cameras())
    for finding in plan.findings { narrator.tell(finding, in: path) }
    guard !plan.hasErrors else { throw Camrec.Ending(status: .usage) }
    if geteuid() == 0 { narrator.warn(RigRunCommand.rootWarning) }
    // State files are there, too, even if a camera has its socket elsewhere.
    ControlPlace().makeFolder()
    let signals = StopSignals { sentence in
      narrator.fail(CamrecError(.interrupted, sentence)) { HumanText.write(sentence) }
    }
    let supervisor = Supervisor(program: try CamrecProgram.path(), recordings: try recordings(of: plan))
    signals.watch(
      stop: { _ in
        manager?.stopping()
        supervisor.stop()
      },
      leftover: {
        let running = supervisor.running
        return running.isEmpty
          ? nil
          : "the recorders \(running.joined(separator: ", ")) end, too; the rig's next start finishes their films"
      })
    signals.beforeGivingUp { supervisor.giveUp() }
    let recovery = RigRecovery()
    recovery.begin(plan.cameras.map { ($0.name, $0.settings.recording.output) })
    func tellRecovery() { for note in recovery.news() { narrator.tell(note) } }
    let heart = RigHeart(manager)
    let names = plan.cameras.map(\.name)
    func recover(_ name: String) {
      recovery.begin(plan.cameras.filter { $0.name == name }.map { ($0.name, $0.settings.recording.output) })
    }
    var occasions = RecoveryOccasions()
    let statuses = supervisor.run(
      beat: {
        heart?.beat(running: supervisor.running, failing: supervisor.failing, of: names)
        tellRecovery()
      },
      tell: { name, tale in
        narrator.tell(name, tale)
        if occasions.isOne(tale, of: name) { recover(name) }
      })
    let left = recovery.end(within: RigRunCommand.recoveryPatience)
    tellRecovery()
    if left > 0 {
      narrator.note(
        .warning, "films and folders not yet checked for crash damage: \(left); the next start continues with them")
    }
    let status = RigRunCommand.status(of: statuses)
    if status != .success { throw Camrec.Ending(status: status) }
  }

  /// Seconds that recovery may still take after everything else has ended; a large film needs some of them.
  private static let recoveryPatience = 5.0

  static let rootWarning = """
    camrec runs as root, so a defect in it would give an attacker full control; run the rig as its own user, in the \
    groups video and audio
    """

  private func recordings(of plan: RigPlan) throws -> [Supervisor.Recording] {
    // Equal shares, so that no camera takes another's processor time.
    let share = max(1, ProcessInfo.processInfo.activeProcessorCount / max(1, plan.cameras.count))
    return plan.cameras.map { camera in
      let cores = camera.entry.setting("cores") == nil ? ["--cores=\(share)"] : []
      // Nobody is there to start it again.
      let awaits = camera.entry.setting("on-lost-camera") == nil ? ["--on-lost-camera=wait"] : []
      let eases =
        camera.entry.setting("on-slow-encoder") == nil && camera.entry.setting("segment") != nil
        ? ["--on-slow-encoder=faster"] : []
      let arguments =
        ["record"] + camera.arguments + cores + awaits + eases + log.ofRecordings
        + ["--json", "--until-input-ends", "--of-rig"]
      return Supervisor.Recording(name: camera.name) { failures in
        failures == 0 ? arguments : arguments + ["--failed-starts=\(failures)"]
      }
    }
  }

  /// The first failure, else losses.
  private static func status(of statuses: [Int32]) -> ExitStatus {
    let known = statuses.map { ExitStatus(rawValue: $0) ?? .defect }
    return known.first { $0 != .success && $0 != .lost } ?? (known.contains(.lost) ? .lost : .success)
  }
}
