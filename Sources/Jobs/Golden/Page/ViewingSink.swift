package import Audio
package import Frames
package import Movies

/// Keeps views of some frames instead of encoding them.
///
/// Thread: as `MovieSink`; read `views` when the session has ended.
package final class ViewingSink: MovieSink, @unchecked Sendable {
  // @unchecked Sendable: calls of `MovieSink` come one at a time, and `timeBase` is set before the first.
  /// Seconds per tick of the frames.
  package var timeBase = Rational(1)
  private var moments: PictureMoments
  private var count = 0
  /// By the index of their moment.
  package private(set) var views: [Int: PictureView] = [:]

  package init(_ moments: PictureMoments) { self.moments = moments }

  package func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    count += 1
    if let place = moments.place(of: Double(time) * timeBase.doubleValue) { views[place] = PictureView(frame) }
  }

  package func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}

  package func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    MovieReport(path: "", bytes: 0, frames: Int64(count))
  }

  package var bytesWritten: Int64 { 0 }
}

/// The moments of wanted frames: their numbers may differ if a frame is missing.
package struct PictureMoments {
  /// Seconds, in rising order.
  package let seconds: [Double]
  /// How far from its moment a frame may be, in seconds.
  private let reach: Double

  package init(_ seconds: [Double], frameDuration: Double) {
    self.seconds = seconds
    reach = frameDuration / 2
  }

  /// - Returns: the moment that a frame at `time` belongs to.
  package func place(of time: Double) -> Int? { seconds.firstIndex { abs($0 - time) <= reach } }
}
