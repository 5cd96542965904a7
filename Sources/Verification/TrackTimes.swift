import Frames
import MovieBoxes

/// How long a track's samples are shown, from its tables. They are shown in another order than they are stored in if an
/// encoder has reordered them, and then each one lasts until the next one that is shown.
struct TrackTimes {
  /// Of all samples, in the track's ticks.
  let ticks: UInt64
  /// Ticks of most samples.
  let usual: UInt32
  /// Samples with another duration, without the last one, which may end the film in the middle of a frame.
  var unusual: UInt64 { count(unlike: usual) }
  /// The smallest and the largest of all but the last.
  let shortest: UInt32
  let longest: UInt32
  /// Of the last one.
  let last: UInt32
  /// False if samples are shown in another order than they are stored in, and the tables do not say which is last.
  let isLastKnown: Bool
  /// The most ticks of which all but the last last a multiple; 0 if one lasts none.
  let unit: UInt32
  /// Whether some samples last several times as long as the others: frames are missing after them.
  var hasGaps: Bool { unusual > 0 && unit > 0 && unit == usual }
  /// When the first is shown, in the track's ticks, before edits.
  let earliest: Int64
  /// How many last how long, without the last one.
  private let counts: [UInt32: UInt64]

  /// Samples of a film, in all tracks together, of which the tables can say when each is shown. A day of frames has two
  /// million.
  static let mostSamples: UInt64 = 1 << 24
  /// Encoders reorder sixteen frames at most.
  private static let reach = 64

  /// Samples that do not last so many ticks, without the last one.
  func count(unlike ticks: UInt32) -> UInt64 { counts.reduce(0) { $1.key == ticks ? $0 : $0 + $1.value } }

  /// `nil` for a track without samples.
  ///
  /// - Parameter samplesLeft: of which the tables of the film can still say when each is shown.
  init?(_ track: TrackAtoms, samplesLeft: inout UInt64) {
    guard var last = track.durations.last(where: { $0.count > 0 })?.ticks else { return nil }
    var counts: [UInt32: UInt64] = [:]
    var total: UInt64 = 0
    for run in track.durations where run.count > 0 {
      counts[run.ticks, default: 0] += UInt64(run.count)
      let (sum, isTooLong) = total.addingReportingOverflow(UInt64(run.count) * UInt64(run.ticks))
      total = isTooLong ? .max : sum
    }
    if counts.values.reduce(0, +) > 1, let count = counts[last] { counts[last] = count == 1 ? nil : count - 1 }
    earliest = TrackTimes.earliest(track)
    // A sample without a duration is a fault, whenever it is shown.
    let end = earliest.addingSaturated(Int64(clamping: total))
    var isLastKnown = !TrackTimes.isReordered(track)
    if counts[0] == nil, let shown = TrackTimes.shown(track, until: end, samplesLeft: &samplesLeft) {
      (counts, last) = shown
      isLastKnown = true
    }
    // Of equally many, the shorter.
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    ticks = total
    usual = most?.key ?? last
    shortest = counts.keys.min() ?? last
    longest = counts.keys.max() ?? last
    self.last = last
    self.isLastKnown = isLastKnown
    self.counts = counts
    unit = shortest == 0 ? 0 : counts.keys.reduce(shortest, TrackTimes.commonDivisor)
  }

  /// How many samples are shown for how long, and how long the last one is.
  ///
  /// - Parameters:
  ///   - end: of the last one.
  ///   - samplesLeft: less this track's, if these are counted.
  /// - Returns: `nil` if they are shown as they are stored, if the tables do not say when, or if they are too many.
  private static func shown(
    _ track: TrackAtoms, until end: Int64, samplesLeft: inout UInt64
  ) -> (counts: [UInt32: UInt64], last: UInt32)? {
    let samples = track.durations.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    guard isReordered(track), samples <= samplesLeft,
      samples == track.offsets.reduce(UInt64(0), { $0 + UInt64($1.count) })
    else { return nil }
    samplesLeft -= samples
    var offsets = track.offsets.lazy.flatMap { repeatElement($0.ticks, count: Int($0.count)) }.makeIterator()
    var counts: [UInt32: UInt64] = [:], previous: Int64?, isInOrder = true
    func show(_ time: Int64) {
      if let previous {
        isInOrder = isInOrder && time >= previous
        counts[UInt32(clamping: time - previous), default: 0] += 1
      }
      previous = time
    }
    // Sorted; a sample that is stored later is not shown before the first of so many.
    var waiting: [Int64] = [], decoded: Int64 = 0
    waiting.reserveCapacity(reach + 1)
    for run in track.durations {
      for _ in 0..<run.count {
        let time = decoded + Int64(offsets.next() ?? 0)
        var place = waiting.count
        while place > 0, waiting[place - 1] > time { place -= 1 }
        waiting.insert(time, at: place)
        if waiting.count > reach { show(waiting.removeFirst()) }
        decoded += Int64(run.ticks)
      }
    }
    waiting.forEach(show)
    guard isInOrder, let last = previous else { return nil }
    return (counts, UInt32(clamping: end - last))
  }

  /// Whether samples are shown in another order than they are stored in: looks for unequal offsets only.
  private static func isReordered(_ track: TrackAtoms) -> Bool {
    let shifts = track.offsets.lazy.filter { $0.count > 0 }
    guard let first = shifts.first?.ticks else { return false }
    return shifts.contains { $0.ticks != first }
  }

  private static func commonDivisor(_ a: UInt32, _ b: UInt32) -> UInt32 {
    var (a, b) = (a, b)
    while b > 0 { (a, b) = (b, a % b) }
    return a
  }

  /// Reads only the first samples.
  private static func earliest(_ track: TrackAtoms) -> Int64 {
    var offsets = track.offsets.lazy.flatMap { repeatElement($0.ticks, count: Int($0.count)) }.makeIterator()
    var durations = track.durations.lazy.flatMap { repeatElement($0.ticks, count: Int($0.count)) }.makeIterator()
    var decoded: Int64 = 0
    var earliest: Int64?
    for _ in 0..<reach {
      guard let offset = offsets.next(), let duration = durations.next() else { break }
      earliest = min(earliest ?? .max, decoded + Int64(offset))
      decoded += Int64(duration)
    }
    return earliest ?? 0
  }
}
