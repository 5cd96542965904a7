/// The file in which lost frames or lost sound lie, and the places of its first frame and sample in the recording.
package struct LossPlace: Hashable, Sendable {
  package var film: String
  package var firstFrame: Int64
  package var firstSample: Int64

  package init(film: String, firstFrame: Int64, firstSample: Int64 = 0) {
    self.film = film
    self.firstFrame = firstFrame
    self.firstSample = firstSample
  }
}

/// The first and the last of what was lost, by their places in the recording; `nil` if those are not known.
package enum LossExtent: Hashable, Sendable {
  case frames(ClosedRange<Int64>?)
  case samples(ClosedRange<Int64>?)

  /// The same, counted from other beginnings.
  func moved(frames: Int64, samples: Int64) -> LossExtent {
    switch self {
    case .frames(let places): .frames(places.map { $0.lowerBound + frames...$0.upperBound + frames })
    case .samples(let places): .samples(places.map { $0.lowerBound + samples...$0.upperBound + samples })
    }
  }
}
