import ArgumentParser
import Assembly
import ControlSocket
import Foundation
import Frames
import Platform
import Recorder
import RecorderAPI
import RecorderRemote
import Telemetry

/// The files in which a recorder publishes its state and metrics.
struct TelemetryOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "This recorder's name in logs, metrics and its state file. Default: sim, clip, the last part of the device's"
        + " path, or camera if no --camera is given.",
      valueName: "NAME"),
    transform: RecorderName.init(parsing:))
  var name: RecorderName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The state file for 'camrec status', or none; camrec replaces it once a second. Default: NAME.state.json, or"
        + " PID.state.json without --name, in the folder of --control's default.", valueName: "PATH"),
    completion: .file(extensions: ["json"]))
  var state: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The metrics file, in Prometheus's text format, for node_exporter's textfile collector; replaced once a second.",
      discussion: "The name must end in .prom, and the folder must exist.", valueName: "PATH"),
    completion: .file(extensions: ["prom"]))
  var metrics: String?

  /// Set by a rig for the recorders that it starts.
  @Option(
    help: ArgumentHelp(
      "Failed starts of this recorder in a row, right before this one.", valueName: "N",
      visibility: .private))
  var failedStarts = 0

  func validate() throws {
    if let metrics, !metrics.hasSuffix(".prom") || metrics.hasSuffix("/.prom") || metrics == ".prom" {
      throw ValidationError(
        "the collector reads only names that end in .prom, as in --metrics camrec.prom; '\(metrics)' does not")
    }
  }

  /// The listeners that write the state file and the metrics.
  ///
  /// - Parameters:
  ///   - name: the recorder's name.
  ///   - socket: the path of its control socket; `nil` for none.
  ///   - monitor: that of the monitor socket.
  func listeners(name: String, socket: String?, monitor: String?) -> [any RecorderWatch.Listener] {
    var listeners: [any RecorderWatch.Listener] = []
    if let (file, isTemporary) = stateFile {
      listeners.append(
        StateWriting(
          file, isTemporary: isTemporary, name: name, failedStarts: failedStarts, socket: socket, monitor: monitor))
    }
    if let metrics { listeners.append(MetricsWriting(path: metrics, name: name, failedStarts: failedStarts)) }
    return listeners
  }

  /// Writes to the files why there is no recording, if that is known before there is a recorder. Does not wait for a
  /// disk that hangs.
  func tell(refusal: CamrecError, name: String) {
    // Nobody looks for a recorder without a name once it has ended.
    guard self.name != nil || metrics != nil else { return }
    let work = WorkThread(name: "camrec-refusal") { [self] in
      var state = RecorderState(phase: .ended)
      state.failure = refusal.description
      for listener in listeners(name: name, socket: nil, monitor: nil) { try? listener.end(state) }
    }
    _ = work.join(within: TelemetryOptions.patience)
  }

  /// Seconds that writing the files of a recorder that does not start may take.
  private static let patience = 2.0

  /// The state file; `nil` if there is none.
  private var stateFile: (file: StateFile, isTemporary: Bool)? {
    if state == "none" { return nil }
    if let state { return (StateFile(path: state), false) }
    let place = ControlPlace()
    let own = name?.description ?? String(ProcessInfo.processInfo.processIdentifier)
    guard let path = place.file(own + StateFile.suffix) else { return nil }
    place.makeFolder()
    return (StateFile(path: path), name == nil)
  }
}
