import Foundation

/// How long pictures took from a recorder's tap to the screen.
public struct LatencyLog: Sendable {
  private var nanoseconds: [Int64] = []

  public init() {}

  public mutating func add(_ nanoseconds: Int64) { self.nanoseconds.append(nanoseconds) }

  public var count: Int { nanoseconds.count }

  /// The smallest value that so many in a hundred do not exceed, in milliseconds; `nil` without pictures.
  public func percentile(_ percent: Int) -> Double? {
    guard !nanoseconds.isEmpty else { return nil }
    let sorted = nanoseconds.sorted(), rank = (percent * sorted.count + 99) / 100
    return Double(sorted[min(max(rank, 1), sorted.count) - 1]) * 1e-6
  }

  /// `tap to shown: p50 8.1 ms, p95 11.9 ms, p99 14.0 ms; 239 pictures in 10.0 s`; `nil` without pictures.
  public func text(seconds: Double) -> String? {
    let parts = [50, 95, 99].compactMap { percent in
      percentile(percent).map { String(format: "p%d %.1f ms", percent, $0) }
    }
    guard !parts.isEmpty else { return nil }
    return "tap to shown: \(parts.joined(separator: ", ")); \(count) pictures in \(String(format: "%.1f", seconds)) s"
  }
}
