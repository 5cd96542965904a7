package import Audio
package import Frames
package import Movies

/// Keeps one frame instead of encoding it.
///
/// Thread: as `MovieSink`; read `bytes` when the session has ended.
package final class PictureSink: MovieSink, @unchecked Sendable {
  // @unchecked Sendable: calls of `MovieSink` come one at a time.
  private let wanted: Int
  private var count = 0
  package private(set) var format: FrameFormat?
  /// Its planes one after another, rows without padding.
  package private(set) var bytes: [UInt8] = []

  package init(picture: Int) { wanted = picture }

  package func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    defer { count += 1 }
    guard count == wanted else { return }
    let format = frame.format
    self.format = format
    for plane in 0..<format.planeCount {
      let row = format.layout.rowBytes(plane: plane, width: format.width)
      unsafe frame.withPlane(plane) { samples in
        for y in 0..<format.layout.rows(plane: plane, height: format.height) {
          let start = y * format.stride(plane: plane)
          unsafe bytes.append(contentsOf: samples[start..<start + row])
        }
      }
    }
  }

  package func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}

  package func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    MovieReport(path: "", bytes: 0, frames: Int64(count))
  }

  package var bytesWritten: Int64 { 0 }
}
