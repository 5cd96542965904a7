import ControlCodec
import Foundation
package import Frames
import Platform
import Recorder
package import RecorderAPI
import Reporting
import Synchronization
import Telemetry

/// Keeps a recorder's metrics in a file for node_exporter's textfile collector.
package final class MetricsWriting: RecorderWatch.Listener {
  private let file: AtomicFile
  private let metrics: Mutex<RecorderMetrics>
  private let ownership: FileOwnership

  /// Begins the first line, a comment by which other recorders know whose file it is.
  private static let heading = "# written by "
  /// Bytes of a metrics file, at most.
  private static let limit = 1 << 20

  /// - Parameters:
  ///   - name: what the recorder is called.
  ///   - failedStarts: failed starts in a row, right before this one.
  package init(path: String, name: String, failedStarts: Int) {
    file = MetricsWriting.file(path)
    ownership = FileOwnership(path, kind: "metrics file", remedy: "choose another \(setting: .metrics)") {
      MetricsWriting.writer(of: path)
    }
    let age = Double(MonotonicTime.now() - ProcessClock.launch) * 1e-9
    metrics = Mutex(
      RecorderMetrics(
        camera: name, version: Product.version, startTime: Date().timeIntervalSince1970 - age,
        failedStarts: failedStarts))
  }

  // Another user reads it, and nothing in it is private. Not synchronized, like a state file.
  private static func file(_ path: String) -> AtomicFile {
    AtomicFile(path: path, mark: .init(name: "metrics file", text: "# HELP camrec_"), mode: 0o644)
  }

  /// Checks that metrics may be written there, without writing them.
  ///
  /// - Throws: code `output`.
  package static func check(path: String) throws(CamrecError) { try file(path).check() }

  package var title: String { "the metrics file '\(file.path)'" }

  package func tell(_ state: RecorderState) throws(CamrecError) {
    var around = RecorderMetrics.Surroundings()
    around.zones = ThermalZone.all()
    let families = metrics.withLock { $0.families(state, around) }
    let head = Array(MetricsWriting.heading.utf8) + ControlProtocol.line(ownership.writer)
    let text = head + Array(MetricFamily.text(families).utf8)
    try ownership.write { () throws(CamrecError) in try file.replace(with: text) }
  }

  package func end(_ state: RecorderState) throws(CamrecError) { try tell(state) }

  /// Who wrote the file; `nil` if it does not say.
  private static func writer(of path: String) -> StateWriter? {
    guard let bytes = try? InputFile.read(path: path, limit: limit),
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first, line.hasPrefix(heading)
    else { return nil }
    return try? ControlProtocol.read(StateWriter.self, from: String(line.dropFirst(heading.count)))
  }
}
