import Frames
import MovieBoxes

/// How long a track's samples last, from its tables.
struct TrackTimes {
  /// Of all samples, in the track's ticks.
  let ticks: UInt64
  /// Ticks of most samples.
  let usual: UInt32
  /// Samples with another duration, without the last one, which may end the film in the middle of a frame.
  let unusual: UInt64
  /// The smallest and the largest of all but the last.
  let shortest: UInt32
  let longest: UInt32
  let last: UInt32
  /// The most ticks of which all but the last last a multiple; 0 if one lasts none.
  let unit: UInt32
  /// Whether some samples last several times as long as the others: frames are missing after them.
  var hasGaps: Bool { unusual > 0 && unit > 0 && unit == usual }
  /// When the first is shown, in the track's ticks, before edits.
  let earliest: Int64

  /// `nil` for a track without samples.
  init?(_ track: TrackAtoms) {
    guard let last = track.durations.last(where: { $0.count > 0 })?.ticks else { return nil }
    var counts: [UInt32: UInt64] = [:]
    var total: UInt64 = 0
    for run in track.durations where run.count > 0 {
      counts[run.ticks, default: 0] += UInt64(run.count)
      let (sum, isTooLong) = total.addingReportingOverflow(UInt64(run.count) * UInt64(run.ticks))
      total = isTooLong ? .max : sum
    }
    if counts.values.reduce(0, +) > 1, let count = counts[last] { counts[last] = count == 1 ? nil : count - 1 }
    // Of equally many, the shorter.
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    ticks = total
    usual = most?.key ?? last
    unusual = counts.values.reduce(0, +) - (most?.value ?? 0)
    shortest = counts.keys.min() ?? last
    longest = counts.keys.max() ?? last
    self.last = last
    unit = shortest == 0 ? 0 : counts.keys.reduce(shortest, TrackTimes.commonDivisor)
    earliest = TrackTimes.earliest(track)
  }

  private static func commonDivisor(_ a: UInt32, _ b: UInt32) -> UInt32 {
    var (a, b) = (a, b)
    while b > 0 { (a, b) = (b, a % b) }
    return a
  }

  /// Reads only the first samples: encoders reorder sixteen frames at most.
  private static func earliest(_ track: TrackAtoms) -> Int64 {
    var offsets = track.offsets.lazy.flatMap { repeatElement($0.ticks, count: Int($0.count)) }.makeIterator()
    var durations = track.durations.lazy.flatMap { repeatElement($0.ticks, count: Int($0.count)) }.makeIterator()
    var decoded: Int64 = 0
    var earliest: Int64?
    for _ in 0..<64 {
      guard let offset = offsets.next(), let duration = durations.next() else { break }
      earliest = min(earliest ?? .max, decoded + Int64(offset))
      decoded += Int64(duration)
    }
    return earliest ?? 0
  }
}
