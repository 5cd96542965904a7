public import Frames

/// How fast long work goes, by the last half minute or, where its pieces are larger, by the last few of them.
public struct WorkPace: Sendable {
  private struct Mark {
    let time: MonotonicTime
    let done: Int
  }

  /// Pieces in all; `nil` where nobody knows.
  public private(set) var total: Int?
  public private(set) var done = 0
  private var marks: [Mark]

  /// Nanoseconds, and marks, that are looked back upon.
  private static let span: Int64 = 30_000_000_000
  private static let fewest = 8
  /// Nanoseconds between two marks.
  private static let interval: Int64 = 250_000_000

  public init(total: Int?, at time: MonotonicTime) {
    self.total = total.flatMap { $0 > 0 ? $0 : nil }
    marks = [Mark(time: time, done: 0)]
  }

  /// So many are done now.
  public mutating func reach(_ done: Int, at time: MonotonicTime) {
    guard done > self.done else { return }
    self.done = done
    if let last = marks.last, marks.count > 1, time - last.time < WorkPace.interval { return }
    marks.append(Mark(time: time, done: done))
    while marks.count > WorkPace.fewest, marks[1].time < time.advanced(by: -WorkPace.span) { marks.removeFirst() }
  }

  /// So many pieces there are.
  public mutating func expect(_ total: Int) { self.total = total > 0 ? total : nil }

  /// All pieces are done, and what is left is to put them together. A total that was promised wrongly is none.
  public var isFinishing: Bool { total.map { done == $0 } ?? false }

  /// 0 to 100; `nil` where the total is not known.
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
