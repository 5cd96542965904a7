/// A histogram of call durations in fixed classes, so that readings of several films and machines can be added.
public struct DurationHistogram: Hashable, Sendable, Codable {
  /// Upper bounds of the classes in seconds, inclusive. One more class, after the last bound, holds everything longer.
  public static let bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

  /// Calls in each class; there is one class more than there are bounds. Not cumulative.
  public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// The total of all calls, in seconds.
  public private(set) var sum = 0.0

  public init() {}

  public var count: Int { counts.reduce(0, +) }

  public mutating func add(_ seconds: Double) {
    counts[DurationHistogram.bounds.firstIndex { seconds <= $0 } ?? DurationHistogram.bounds.count] += 1
    sum += seconds
  }

  public mutating func add(_ other: DurationHistogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
    sum += other.sum
  }
}
