package import Frames
package import Movies
import Synchronization

/// The timecode that was asked for: the first film starts with it, and later films count on from there.
///
/// Thread: any.
package final class FilmLabel: Sendable {
  private struct Origin {
    let timecode: Timecode
    let rate: FrameRate
    let time: MonotonicTime
  }

  private let text: String
  private let origin = Mutex<Origin?>(nil)

  package init(_ text: String) { self.text = text }

  /// The label of a film's first frame.
  ///
  /// - Throws: code `usage` for a label that does not exist at the first film's rate.
  package func timecode(of firstFrame: MonotonicTime, at rate: FrameRate) throws(CamrecError) -> Timecode {
    guard let origin = origin.withLock({ $0 }) else {
      let first = Origin(timecode: try Timecode(parsing: text, rate: rate), rate: rate, time: firstFrame)
      origin.withLock { $0 = first }
      return first.timecode
    }
    let seconds = max(0, Double(firstFrame - origin.time) * 1e-9)
    guard rate == origin.rate else {
      let time = origin.timecode.timeOfDay(at: origin.rate) + seconds
      return Timecode(timeOfDay: time.truncatingRemainder(dividingBy: 86400), rate: rate)
    }
    return origin.timecode.advanced(by: Int((seconds * rate.framesPerSecond).rounded()), at: rate)
  }
}
