import Foundation
import Frames
import Recorder
import Synchronization
import Telemetry

/// Keeps a recorder's metrics in a file for node_exporter's textfile collector.
final class MetricsWriting: RecorderWatch.Listener {
  private let file: AtomicFile
  private let metrics: Mutex<RecorderMetrics>

  /// - Parameters:
  ///   - name: what the recorder is called.
  ///   - failedStarts: failed starts in a row, right before this one.
  init(path: String, name: String, failedStarts: Int) {
    // Another user reads it, and nothing in it is private. Not synchronized, like a state file.
    file = AtomicFile(path: path, mark: .init(name: "metrics file", text: "# HELP camrec_"), mode: 0o644)
    let age = Double(MonotonicTime.now() - ProcessClock.launch) * 1e-9
    metrics = Mutex(
      RecorderMetrics(
        camera: name, version: Camrec.version, startTime: Date().timeIntervalSince1970 - age,
        failedStarts: failedStarts))
  }

  var title: String { "the metrics file '\(file.path)'" }

  func tell(_ state: RecorderState) throws(CamrecError) {
    var around = RecorderMetrics.Surroundings()
    around.zones = ThermalZone.all()
    let families = metrics.withLock { $0.families(state, around) }
    try file.replace(with: MetricFamily.text(families).utf8)
  }

  func end(_ state: RecorderState) throws(CamrecError) { try tell(state) }
}
