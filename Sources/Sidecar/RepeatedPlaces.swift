/// Where a file repeats frames, by their places in the file: the disk may refuse the last ones, repeated or not.
package struct RepeatedPlaces {
  /// Of all that were handed to the sink.
  package private(set) var count = 0
  private var runs: [Range<Int>] = []

  package init() {}

  /// A frame was repeated at `place`, behind all before.
  package mutating func add(at place: Int) {
    count += 1
    if let last = runs.last, last.upperBound == place {
      runs[runs.count - 1] = last.lowerBound..<place + 1
    } else {
      runs.append(place..<place + 1)
    }
  }

  /// How many of the file's first `frames` frames are repeated ones.
  package func count(amongFirst frames: Int) -> Int {
    var behind = 0
    for run in runs.reversed() {
      guard run.upperBound > frames else { break }
      behind += run.upperBound - max(run.lowerBound, frames)
    }
    return count - behind
  }
}
