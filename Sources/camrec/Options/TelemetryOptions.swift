import ArgumentParser
import ControlSocket
import Foundation
import Frames
import Telemetry

/// What a recorder tells others unasked, in files.
struct TelemetryOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What this recorder is called in logs, metrics and its state file. Default: sim, clip, or the device's name.",
      valueName: "name"),
    transform: RecorderName.init(parsing:))
  var name: RecorderName?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A file for 'camrec status', replaced once a second, or none. Default: NAME.state.json, without a --name"
        + " PID.state.json, beside the control socket.", valueName: "path|none"),
    completion: .file(extensions: ["json"]))
  var state: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A file for node_exporter's textfile collector, replaced once a second: metrics in Prometheus's text format.",
      discussion: "Its name ends in .prom, and its folder is there.", valueName: "path"),
    completion: .file(extensions: ["prom"]))
  var metrics: String?

  func validate() throws {
    if let metrics, !metrics.hasSuffix(".prom") || metrics.hasSuffix("/.prom") || metrics == ".prom" {
      throw ValidationError(
        "the collector reads files whose names end in .prom; '\(metrics)' does not: --metrics camrec.prom")
    }
  }

  /// Those who write files of how the recorder goes.
  ///
  /// - Parameter name: what the recorder is called.
  func listeners(name: String) -> [any RecorderWatch.Listener] {
    var listeners: [any RecorderWatch.Listener] = []
    if let (file, isTemporary) = stateFile {
      listeners.append(StateWriting(file, isTemporary: isTemporary, name: name))
    }
    if let metrics { listeners.append(MetricsWriting(path: metrics, name: name)) }
    return listeners
  }

  /// The state file; `nil` where there is none.
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
