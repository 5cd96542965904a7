import ArgumentParser
import ControlSocket
import Foundation
import Frames
import Recorder

/// Where a recorder is told what to do while it runs.
struct ControlOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The socket for 'camrec ctl', or none. Default: camrec/PID.sock in $XDG_RUNTIME_DIR, or PID.sock in"
        + " $RUNTIME_DIRECTORY, or in /run/camrec for root.", valueName: "path|none"),
    completion: .file(extensions: ["sock"]))
  var control: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keep settings that are changed while it runs in this file, and begin with them next time.",
      discussion: """
        Exposure, white balance and other controls, rate, size, format and camera. One that was kept counts until the \
        command line says something else of the same thing than it did then. 'camrec ctl forget' empties the file.
        """, valueName: "path"),
    completion: .file(extensions: ["json"]))
  var settings: String?

  @Flag(
    help: ArgumentHelp(
      "End the recording when standard input ends, as it does when the program that holds its other end is gone."))
  var untilInputEnds = false

  /// Lets others control a recorder, until the server is closed.
  ///
  /// - Parameter warn: is given the sentence where the socket that nobody has named cannot be made.
  /// - Returns: `nil` where there is no socket.
  /// - Throws: for the socket that was named, as `ControlServer.open`.
  func open(_ recorder: any RecorderControl, warn: (String) -> Void) throws(CamrecError) -> ControlServer? {
    if control == "none" { return nil }
    if let control { return try ControlServer.open(path: control, control: recorder, camrec: Camrec.version) }
    guard let path = ControlPlace().socket(pid: getpid()) else { return nil }
    do {
      return try ControlServer.open(path: path, control: recorder, camrec: Camrec.version)
    } catch {
      warn(error.description)
      return nil
    }
  }
}
