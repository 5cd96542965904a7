package import Frames
import Synchronization

/// The film's time as set by its frames: written by the capture thread, read by the sound thread.
package final class PictureClock: Sendable {
  package struct Reading: Sendable {
    /// The first frame's capture time: movie time 0.
    package var origin: MonotonicTime
    /// A recent instant, the movie time at that instant in seconds, and movie seconds per monotonic second from there.
    package var anchor: MonotonicTime
    package var movieSeconds: Double
    package var rate: Double
    /// Frame times are measured; the sound is not stretched.
    package var isVariable: Bool

    package init(origin: MonotonicTime, anchor: MonotonicTime, movieSeconds: Double, rate: Double, isVariable: Bool) {
      self.origin = origin
      self.anchor = anchor
      self.movieSeconds = movieSeconds
      self.rate = rate
      self.isVariable = isVariable
    }

    /// The movie time, in seconds, at `time`; negative before the first frame.
    package func movieSeconds(at time: MonotonicTime) -> Double {
      movieSeconds + Double(time - anchor) * 1e-9 * rate
    }
  }

  private let state = Mutex<Reading?>(nil)

  /// `nil` until the first frame.
  var reading: Reading? { state.withLock { $0 } }

  func set(_ reading: Reading) { state.withLock { $0 = reading } }
}
