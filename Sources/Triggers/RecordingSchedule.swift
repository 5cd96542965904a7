/// When to record: windows of the wall clock on days of the week. A value that uses no clock and no calendar.
///
/// A window begins when the clock first shows its start time and ends when the clock last shows its end time. An hour
/// that comes twice is therefore recorded twice, without a stop in between. If the clock skips the start time, the
/// window begins right after the skip.
public struct RecordingSchedule: Hashable, Sendable {
  /// Seconds of Unix time, without the end.
  public typealias Interval = Range<Int64>
  /// Seconds by which local time is ahead of UTC, at an instant in seconds of Unix time.
  public typealias Offset = (_ time: Int64) -> Int64

  public var windows: [ScheduleWindow]

  static let day: Int64 = 86_400

  public init(_ windows: [ScheduleWindow]) { self.windows = windows }

  /// When the last window that contains an instant ends; `nil` if no window contains it.
  public func end(at time: Int64, offset: Offset) -> Int64? {
    windows.compactMap { window in
      intervals(of: window, around: time, offset).filter { $0.contains(time) }.map(\.upperBound).max()
    }
    .max()
  }

  /// When the next window after an instant begins; looks eight days ahead.
  public func next(after time: Int64, offset: Offset) -> Int64? {
    for days in 0...8 {
      let starts = windows.flatMap { intervals(of: $0, around: time + Int64(days) * RecordingSchedule.day, offset) }
      if let next = starts.map(\.lowerBound).filter({ $0 > time }).min() { return next }
    }
    return nil
  }

  /// The intervals that begin on the day before, on the same day or on the next.
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

  /// When the clock shows a local time. If the time comes twice: the first or the last instant. If the clock skips it:
  /// right after the skip.
  private func instant(ofLocal local: Int64, _ offset: Offset, isLast: Bool) -> Int64 {
    let before = offset(local - 2 * RecordingSchedule.day), after = offset(local + 2 * RecordingSchedule.day)
    let candidates = [local - before, local - after].filter { $0 + offset($0) == local }
    if let instant = isLast ? candidates.max() : candidates.min() { return instant }
    // The clock changes between these two.
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
