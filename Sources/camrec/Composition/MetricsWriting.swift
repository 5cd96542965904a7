import Foundation
import Frames
import Movies
import Recorder
import Synchronization
import Telemetry

/// Keeps a recorder's metrics in a file for node_exporter's textfile collector.
final class MetricsWriting: RecorderWatch.Listener {
  private let file: AtomicFile
  private let metrics: Mutex<RecorderMetrics>

  /// - Parameters:
  ///   - name: what the recorder is called.
  ///   - failedStarts: starts in a row, right before this one, that came to nothing.
  init(path: String, name: String, failedStarts: Int) {
    // Another user reads it, and there is nothing private in it. Not synchronized: as a state file.
    file = AtomicFile(path: path, mark: .init(name: "file of metrics", text: "# HELP camrec_"), mode: 0o644)
    let age = Double(MonotonicTime.now() - ProcessClock.launch) * 1e-9
    metrics = Mutex(
      RecorderMetrics(
        camera: name, version: Camrec.version, startTime: Date().timeIntervalSince1970 - age,
        failedStarts: failedStarts))
  }

  var title: String { "the file of metrics '\(file.path)'" }

  func tell(_ state: RecorderState) throws(CamrecError) {
    var around = RecorderMetrics.Surroundings()
    around.freeBytes = state.film.flatMap(FreeSpace.bytes(beside:))
    around.zones = ThermalZone.all()
    let families = metrics.withLock { $0.families(state, around) }
    try file.replace(with: MetricFamily.text(families).utf8)
  }

  func end(_ state: RecorderState) throws(CamrecError) { try tell(state) }
}
