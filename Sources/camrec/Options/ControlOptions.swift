import ArgumentParser
import ControlSocket
import Foundation
import Frames
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

  /// Lets others control a recorder until the result is closed. Tries again if the socket cannot be created.
  ///
  /// - Parameters:
  ///   - name: the recorder's.
  ///   - say: called with a remark if there is no socket, and again once there is one, with its absolute path.
  /// - Returns: `nil` if no socket is wanted.
  func open(
    _ recorder: any RecorderControl, name: String, say: @escaping @Sendable (SessionRemark) -> Void
  ) -> ControlKeeping? {
    guard let path = socketPath else { return nil }
    return ControlKeeping(path: path, control: recorder, camrec: Camrec.version, name: name) { note in
      switch note {
      case .missing(let error):
        let rest = error.code == .usage ? "" : " and tries again"
        say(SessionRemark("\(error.description); the recorder continues without it\(rest)"))
      case .found:
        say(
          SessionRemark(
            "the control socket '\(path)' is available now", facts: ["socket": PathText(path).absolute],
            isWarning: false))
      }
    }
  }
}
