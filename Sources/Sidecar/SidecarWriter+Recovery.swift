import Foundation
public import Frames
import Platform
import RecorderAPI

extension SidecarWriter {
  /// Appends records to the sidecar of a film that was recovered, and waits until they are on the medium. A last record
  /// that was cut off stays as a line that readers skip.
  ///
  /// - Parameter records: of the kinds `missing` and `recovered`.
  /// - Throws: code `output`.
  public static func append(_ records: [SidecarRecord], to path: String) throws(CamrecError) {
    let output = try SidecarOutput(appendingTo: path)
    var line = SidecarLine(capacity: 1 << 14)
    do throws(SystemCallError) {
      try output.beginLine()
      for record in records {
        put(record, in: &line)
        try output.append(line.bytes)
        line.clear()
      }
      try output.synchronize()
    } catch {
      throw CamrecError(
        .output, "the film is recovered, but camrec cannot append to its sidecar '\(path)'",
        cause: error.words)
    }
  }

  static func put(_ record: SidecarRecord, in line: inout SidecarLine) {
    switch record {
    case .missing(let frame, let count):
      line.begin()
      line.put(.missing, frame)
      line.put(.count, count)
      line.end()
    case .recovered(let recovery):
      line.begin()
      line.put(.recovered, DateText.text(recovery.date))
      line.put(.frames, recovery.frames)
      line.put(.missing, recovery.missing)
      line.put(.unlisted, recovery.unlisted)
      line.put(.silentSamples, recovery.silentSamples)
      if recovery.missingSamples > 0 { line.put(.missingSamples, recovery.missingSamples) }
      if recovery.unwritten > 0 { line.put(.unwritten, recovery.unwritten) }
      if let ticks = recovery.ticks { line.put(.ticks, ticks) }
      line.end()
    default: break
    }
  }
}
