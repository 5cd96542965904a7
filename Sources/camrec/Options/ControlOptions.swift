import ArgumentParser
import ControlSocket
import Foundation
import Frames
import MonitorSocket
import Platform
import Recorder
import RecorderRemote

/// How a recorder is controlled while it runs.
struct ControlOptions: ParsableArguments {
  @Option(
    // 'camrec ctl' calls it --socket.
    name: [.long, .customLong("socket")],
    parsing: .unconditional,
    help: ArgumentHelp(
      "The socket for 'camrec ctl', or none. Default: camrec/PID.sock in $XDG_RUNTIME_DIR, or PID.sock in"
        + " $RUNTIME_DIRECTORY, or in /run/camrec for root.", valueName: "PATH"),
    completion: .file(extensions: ["sock"]))
  var control: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The socket for 'camrec view' and 'camrec snapshot', or none. Default: the control socket's path, with .monitor"
        + " in place of .sock; none if that is none.", valueName: "PATH"),
    completion: .file(extensions: ["monitor"]))
  var monitor: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Let the members of this group look, too; they cannot control anything.",
      discussion: "They must be able to enter the socket's folder.", valueName: "GROUP"))
  var monitorGroup: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Save settings that you change at run time in this file, and start with them next time.",
      discussion: """
        These are exposure, white balance and other controls, frame rate, size, pixel format and camera. A saved \
        setting wins as long as you start with the same option value (given or default) as when it was saved; at the \
        start camrec says which settings these are. If you change the option, the option wins, and camrec drops the \
        saved setting. 'camrec ctl forget' deletes the file.
        """, valueName: "PATH"),
    completion: .file(extensions: ["json"]))
  var settings: String?

  @Flag(
    help: ArgumentHelp(
      "End the recording when standard input ends, for example because the program that writes to it is gone."))
  var untilInputEnds = false

  /// Set by a rig for the recorders that it starts.
  @Flag(help: ArgumentHelp("The program that started this recorder recovers its films.", visibility: .private))
  var ofRig = false

  /// The control socket's path; `nil` for none.
  var socketPath: String? {
    if control == "none" { return nil }
    return control ?? ControlPlace().socket(pid: getpid())
  }

  /// The monitor socket's path; `nil` for none.
  var monitorPath: String? {
    if let monitor { return monitor == "none" ? nil : monitor }
    return socketPath.map { path in (path.hasSuffix(".sock") ? String(path.dropLast(5)) : path) + ".monitor" }
  }

  /// - Throws: code `usage` for a group that this machine does not have.
  var monitorGroupNumber: UInt32? {
    get throws(CamrecError) {
      guard let monitorGroup else { return nil }
      guard let number = UserGroup.number(named: monitorGroup) else {
        throw CamrecError(
          .usage, about: .monitorGroup,
          "this machine has no group '\(monitorGroup)'; choose another one for \(setting: .monitorGroup), or make it "
            + "with 'groupadd \(monitorGroup)'")
      }
      return number
    }
  }

  /// Lets others control a recorder until the result is closed. Tries again if the socket cannot be created.
  ///
  /// - Parameters:
  ///   - name: the recorder's.
  ///   - monitor: the absolute path of its monitor socket, while there is one.
  ///   - say: called with a remark if there is no socket, and again once there is one, with its absolute path.
  /// - Returns: `nil` if no socket is wanted.
  func open(
    _ recorder: any RecorderControl, name: String, monitor: @escaping @Sendable () -> String?,
    say: @escaping @Sendable (SessionRemark) -> Void
  ) -> SocketKeeping? {
    guard let path = socketPath else { return nil }
    return SocketKeeping(
      path: path,
      open: { (path) throws(CamrecError) in
        try ControlServer.open(path: path, control: recorder, camrec: Camrec.version, name: name, monitor: monitor)
      },
      say: ControlOptions.remarks(on: path, of: "control socket", fact: "socket", say))
  }

  /// Lets others look through a recorder until the result is closed. Tries again if the socket cannot be created.
  ///
  /// - Parameters:
  ///   - group: may look, too.
  ///   - name: the recorder's.
  ///   - say: as of `open`.
  /// - Returns: `nil` if no socket is wanted.
  func openMonitor(
    _ recorder: RecorderService, group: UInt32?, name: String, say: @escaping @Sendable (SessionRemark) -> Void
  ) -> SocketKeeping? {
    guard let path = monitorPath else { return nil }
    return SocketKeeping(
      path: path,
      open: { (path) throws(CamrecError) in
        try MonitorServer.open(path: path, group: group, source: recorder, camrec: Camrec.version, name: name)
      },
      say: ControlOptions.remarks(on: path, of: "monitor socket", fact: "monitor", say))
  }

  private static func remarks(
    on path: String, of what: String, fact: String, _ say: @escaping @Sendable (SessionRemark) -> Void
  ) -> @Sendable (SocketKeeping.Note) -> Void {
    { note in
      switch note {
      case .missing(let error):
        let rest = error.code == .usage ? "" : " and tries again"
        say(SessionRemark("\(error.description); the recorder continues without it\(rest)"))
      case .found:
        say(
          SessionRemark(
            "the \(what) '\(path)' is available now", facts: [fact: PathText(path).absolute], isWarning: false))
      }
    }
  }
}
