public import Frames

/// What is known about one piece of time; it can be merged with the next.
public protocol TimeBin: Sendable {
  init()
  mutating func merge(_ later: Self)
}

/// Sums up values over any length of time in a fixed number of bins: when these do not suffice, two become one.
public struct TimeBins<Bin: TimeBin>: Sendable {
  /// The most bins: as many as a plot has pixels in width.
  public static var capacity: Int { 2048 }

  /// Seconds of one bin.
  public private(set) var width: Double
  public private(set) var bins: [Bin] = []

  /// - Parameter width: seconds of a bin at the beginning, greater than 0.
  public init(width: Double) { self.width = width }

  /// Changes the bin that `seconds` lies in. Times before 0, and times that are not numbers, are left out.
  mutating func change(at seconds: Double, _ body: (inout Bin) -> Void) {
    guard seconds.isFinite, seconds >= 0 else { return }
    while seconds / width >= Double(Self.capacity) { halve() }
    let index = Int(seconds / width)
    while bins.count <= index { bins.append(Bin()) }
    body(&bins[index])
  }

  /// Changes every bin between two times.
  mutating func change(from begin: Double, to end: Double, _ body: (inout Bin) -> Void) {
    guard begin.isFinite, begin >= 0, end > begin else { return change(at: begin, body) }
    // The end decides how wide the bins are.
    change(at: end) { _ in }
    change(at: begin, body)
    var time = (begin / width).rounded(.down) * width + width * 1.5
    while time < end + width / 2, time / width < Double(Self.capacity) {
      if time - width / 2 < end { change(at: time, body) }
      time += width
    }
  }

  private mutating func halve() {
    width *= 2
    for index in 0..<(bins.count + 1) / 2 {
      bins[index] = bins[2 * index]
      if 2 * index + 1 < bins.count { bins[index].merge(bins[2 * index + 1]) }
    }
    bins.removeLast(bins.count / 2)
  }
}

/// The least and the greatest of a value; `nil` if there was none.
public struct ValueSpan: TimeBin, Hashable {
  public private(set) var range: ClosedRange<Double>?

  public init() {}

  mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    range = min(range?.lowerBound ?? value, value)...max(range?.upperBound ?? value, value)
  }

  public mutating func merge(_ later: ValueSpan) {
    guard let other = later.range else { return }
    add(other.lowerBound)
    add(other.upperBound)
  }
}

/// What was lost: frames, for which reasons, and whether audio was.
public struct LossMarks: TimeBin, Hashable {
  public internal(set) var reasons: Set<LossReason> = []
  public internal(set) var isSilent = false

  public init() {}

  public mutating func merge(_ later: LossMarks) {
    reasons.formUnion(later.reasons)
    isSilent = isSilent || later.isSilent
  }
}
