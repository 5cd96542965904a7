package import Frames
package import Recorder

/// How many frames a bake will have read or written at its end, and how many it has.
package struct BakeExtent: Hashable, Sendable {
  /// `nil` if the clip does not say.
  package let total: Int?
  /// Frames a second, if time is counted: gaps as frames, too. `nil` if only the clip's own frames count.
  private let rate: Double?

  /// - Parameters:
  ///   - promised: frames that fit into the clip's length; `nil` if it does not say that.
  ///   - listed: the clip's own frames; `nil` if it does not list them.
  ///   - fillsGaps: the film repeats frames in place of missing ones.
  package init(promised: Int?, listed: Int?, limit: RecordingLimit?, fillsGaps: Bool, frameRate: FrameRate) {
    let rate = frameRate.framesPerSecond
    switch limit {
    case .frames(let count)? where Int(clamping: count) <= listed ?? promised ?? Int.max:
      (total, self.rate) = (Int(clamping: count), nil)
      return
    case .seconds(let seconds)?:
      let count = Int(saturating: (seconds.doubleValue * rate).rounded())
      guard count >= promised ?? Int.max else {
        (total, self.rate) = (count, rate)
        return
      }
    default: break
    }
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
    rate.map { Int(saturating: (seconds * $0).rounded()) } ?? frames
  }
}
