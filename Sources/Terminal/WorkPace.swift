public import Frames

/// The speed of long work, from the last half minute or, with larger pieces, from the last few.
public struct WorkPace: Sendable {
  private struct Mark {
    let time: MonotonicTime
    let done: Int
  }

  /// Pieces in all; `nil` if unknown.
  public private(set) var total: Int?
  public private(set) var done = 0
  private var marks: [Mark]

  /// How far to look back, in nanoseconds.
  private static let span: Int64 = 30_000_000_000
  /// The fewest marks to look back on.
  private static let fewest = 8
  /// Nanoseconds between two marks.
  private static let interval: Int64 = 250_000_000

  public init(total: Int?, at time: MonotonicTime) {
    self.total = total.flatMap { $0 > 0 ? $0 : nil }
    marks = [Mark(time: time, done: 0)]
  }

  /// Notes how many pieces are done.
  public mutating func reach(_ done: Int, at time: MonotonicTime) {
    guard done > self.done else { return }
    self.done = done
    if let last = marks.last, marks.count > 1, time - last.time < WorkPace.interval { return }
    marks.append(Mark(time: time, done: done))
    while marks.count > WorkPace.fewest, marks[1].time < time.advanced(by: -WorkPace.span) { marks.removeFirst() }
  }

  /// Sets the total number of pieces.
  public mutating func expect(_ total: Int) { self.total = total > 0 ? total : nil }

  /// All pieces are done; what is left is to put them together. False once more pieces are done than the total.
  public var isFinishing: Bool { total.map { done == $0 } ?? false }

  /// 0 to 100; `nil` if the total is unknown.
  public var percent: Double? { known.map { Double(done) / Double($0) * 100 } }

  /// Pieces a second; `nil` before the first.
  public func perSecond(at time: MonotonicTime) -> Double? {
    guard let first = marks.first, done > first.done, time > first.time else { return nil }
    return Double(done - first.done) / (Double(time - first.time) * 1e-9)
  }

  public func secondsLeft(at time: MonotonicTime) -> Double? {
    guard let known, let pace = perSecond(at: time) else { return nil }
    return Double(known - done) / pace
  }

  private var known: Int? { total.flatMap { done <= $0 ? $0 : nil } }
}
