package import Frames
package import Recorder

/// How many frames a bake will have read or written at its end, and how many it has.
package struct BakeExtent: Hashable, Sendable {
  /// `nil` if the clip does not say.
  package let total: Int?
  /// Frames a second, if time is counted: gaps as frames, too. `nil` if only the clip's own frames count.
  private let rate: Double?
  /// The last frame may stand for a gap behind it, which is not filled.
  private let endsWithFrame: Bool

  /// - Parameters:
  ///   - promised: frames that fit into the clip's length; `nil` if it does not say that.
  ///   - listed: the clip's own frames; `nil` if it does not list them.
  ///   - fillsGaps: the film repeats frames in place of missing ones.
  ///   - filled: frames of the film, if that ends with a certain frame of the clip; `nil` if the clip does not list its
  ///     frames.
  package init(
    promised: Int?, listed: Int?, limit: RecordingLimit?, fillsGaps: Bool, filled: Int? = nil, frameRate: FrameRate
  ) {
    let rate = frameRate.framesPerSecond
    switch limit {
    case .frames(let count)? where fillsGaps && Int(clamping: count) <= listed ?? promised ?? Int.max:
      (total, self.rate, endsWithFrame) = (filled, filled.map { _ in rate }, true)
      return
    case .frames(let count)? where Int(clamping: count) <= listed ?? promised ?? Int.max:
      (total, self.rate, endsWithFrame) = (Int(clamping: count), nil, false)
      return
    case .seconds(let seconds)?:
      let count = Int(saturating: (seconds.doubleValue * rate).rounded())
      guard count >= promised ?? Int.max else {
        (total, self.rate, endsWithFrame) = (count, rate, false)
        return
      }
    default: break
    }
    endsWithFrame = false
    if let listed, !fillsGaps {
      // Edits leave out frames that are listed.
      (total, self.rate) = (min(listed, promised ?? listed), nil)
    } else {
      (total, self.rate) = (promised, rate)
    }
  }

  func done(_ progress: SessionProgress) -> Int {
    done(frames: progress.counts.captured + progress.counts.lost(.deviceError), seconds: progress.seconds)
  }

  /// - Parameters:
  ///   - frames: of the clip, damaged ones included.
  ///   - seconds: of the film.
  package func done(frames: Int, seconds: Double) -> Int {
    let done = rate.map { Int(saturating: (seconds * $0).rounded()) } ?? frames
    return endsWithFrame ? min(done, total ?? done) : done
  }
}
