/// Rising times in little memory: times at equal distances are stored as one run.
package struct TimeRuns: Sendable {
  private struct Run {
    let first: Int64
    var step: Int64
    var count: Int64

    var last: Int64 { first + step * (count - 1) }
  }

  private var runs: [Run] = []
  private var run = 0, place: Int64 = 0

  package init() {}

  package mutating func append(_ time: Int64) {
    guard var last = runs.last else { return runs.append(Run(first: time, step: 0, count: 1)) }
    if last.count == 1 {
      last.step = time - last.first
    } else if time - last.last != last.step {
      return runs.append(Run(first: time, step: 0, count: 1))
    }
    last.count += 1
    runs[runs.count - 1] = last
  }

  /// Returns the next time, and moves on.
  package mutating func next() -> Int64? {
    guard let time = peek() else { return nil }
    place += 1
    if place == runs[run].count { (run, place) = (run + 1, 0) }
    return time
  }

  package func peek() -> Int64? { run < runs.count ? runs[run].first + runs[run].step * place : nil }
}
