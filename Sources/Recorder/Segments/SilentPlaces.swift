/// Where a file has silence in place of lost sound, by its samples: the disk may refuse the last of it.
package struct SilentPlaces {
  private var runs: [Range<Int64>] = []

  /// Silences that are known. The disk has stored those before them long since.
  private static let most = 1024

  package init() {}

  /// Silence follows, behind all before.
  package mutating func add(_ run: Range<Int64>) {
    guard !run.isEmpty else { return }
    if let last = runs.last, last.upperBound == run.lowerBound {
      runs[runs.count - 1] = last.lowerBound..<run.upperBound
      return
    }
    if runs.count == SilentPlaces.most { runs.removeFirst() }
    runs.append(run)
  }

  /// Samples of silence from `sample` on.
  package func count(from sample: Int64) -> Int64 {
    runs.reduce(0) { $0 + max(0, $1.upperBound - max($1.lowerBound, sample)) }
  }

  /// The sound in a part of the file: what is no silence.
  package func sounds(in part: Range<Int64>) -> [Range<Int64>] {
    var sounds: [Range<Int64>] = [], next = part.lowerBound
    for run in runs.map({ $0.clamped(to: part) }) where !run.isEmpty {
      if next < run.lowerBound { sounds.append(next..<run.lowerBound) }
      next = run.upperBound
    }
    if next < part.upperBound { sounds.append(next..<part.upperBound) }
    return sounds
  }
}
