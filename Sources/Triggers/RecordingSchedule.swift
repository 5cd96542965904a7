/// When a recording is to run: windows of the wall clock, on days of the week. A value without clock or calendar of its
/// own.
///
/// A window begins when the clock shows its beginning for the first time and ends when it shows its end for the last
/// time: an hour that comes twice is recorded twice, without a stop in between. A beginning that the clock leaves out
/// counts when it has gone on.
public struct RecordingSchedule: Hashable, Sendable {
  /// Seconds of Unix time, the end not included.
  public typealias Interval = Range<Int64>
  /// Seconds by which local time is ahead of UTC, at an instant in seconds of Unix time.
  public typealias Offset = (_ time: Int64) -> Int64

  public var windows: [ScheduleWindow]

  static let day: Int64 = 86_400

  public init(_ windows: [ScheduleWindow]) { self.windows = windows }

  /// When the last of the windows ends in which an instant lies; `nil` outside of all.
  public func end(at time: Int64, offset: Offset) -> Int64? {
    windows.compactMap { window in
      intervals(of: window, around: time, offset).filter { $0.contains(time) }.map(\.upperBound).max()
    }
    .max()
  }

  /// When the next window begins behind an instant, within eight days.
  public func next(after time: Int64, offset: Offset) -> Int64? {
    for days in 0...8 {
      let starts = windows.flatMap { intervals(of: $0, around: time + Int64(days) * RecordingSchedule.day, offset) }
      if let next = starts.map(\.lowerBound).filter({ $0 > time }).min() { return next }
    }
    return nil
  }

  /// Those that begin on the day before, on the same day and on the next.
  private func intervals(of window: ScheduleWindow, around time: Int64, _ offset: Offset) -> [Interval] {
    let today = (time + offset(time)).flooredQuotient(RecordingSchedule.day)
    return (today - 1...today + 1).compactMap { day in
      // 1 January 1970 was a Thursday.
      guard window.days.contains(ScheduleDay.allCases[Int((day + 3).flooredRemainder(7))]) else { return nil }
      let endDay = window.end <= window.start ? day + 1 : day
      let start = instant(ofLocal: day * RecordingSchedule.day + window.start, offset, isLast: false)
      let end = instant(ofLocal: endDay * RecordingSchedule.day + window.end, offset, isLast: true)
      return start < end ? start..<end : nil
    }
  }

  /// When the clock shows a local time: for the first or the last time where it comes twice, and when the clock has
  /// gone on where it never comes.
  private func instant(ofLocal local: Int64, _ offset: Offset, isLast: Bool) -> Int64 {
    let before = offset(local - 2 * RecordingSchedule.day), after = offset(local + 2 * RecordingSchedule.day)
    let candidates = [local - before, local - after].filter { $0 + offset($0) == local }
    if let instant = isLast ? candidates.max() : candidates.min() { return instant }
    // The change lies between the two.
    var (low, high) = (local - max(before, after) - 1, local - min(before, after))
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if middle + offset(middle) < local { low = middle } else { high = middle }
    }
    return high
  }
}

extension Int64 {
  func flooredQuotient(_ divisor: Int64) -> Int64 { (self - flooredRemainder(divisor)) / divisor }
  func flooredRemainder(_ divisor: Int64) -> Int64 { (self % divisor + divisor) % divisor }
}
