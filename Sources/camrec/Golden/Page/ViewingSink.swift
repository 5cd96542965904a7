import Audio
import Frames
import Movies

/// Keeps views of some of the pictures that would be encoded.
///
/// Thread: as `MovieSink`; `views` when the session has ended.
final class ViewingSink: MovieSink, @unchecked Sendable {
  // @unchecked Sendable: calls of `MovieSink` come one at a time, and `timeBase` is set before the first.
  /// Seconds of a tick of the pictures.
  var timeBase = Rational(1)
  private var moments: PictureMoments
  private var count = 0
  /// By the places of their moments.
  private(set) var views: [Int: PictureView] = [:]

  init(_ moments: PictureMoments) { self.moments = moments }

  func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    count += 1
    if let place = moments.place(of: Double(time) * timeBase.doubleValue) { views[place] = PictureView(frame) }
  }

  func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}

  func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    MovieReport(path: "", bytes: 0, frames: Int64(count))
  }

  var bytesWritten: Int64 { 0 }
}

/// Moments at which pictures are wanted. Their numbers may be others where one is missing.
struct PictureMoments {
  /// Seconds, in rising order.
  let seconds: [Double]
  /// How far from its moment a picture may be, in seconds.
  private let reach: Double

  init(_ seconds: [Double], frameDuration: Double) {
    self.seconds = seconds
    reach = frameDuration / 2
  }

  /// - Returns: which moment a picture belongs to that shows at `time`.
  func place(of time: Double) -> Int? { seconds.firstIndex { abs($0 - time) <= reach } }
}
