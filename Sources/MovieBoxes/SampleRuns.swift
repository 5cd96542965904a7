/// Values of consecutive samples; equal neighbours are stored together.
struct SampleRuns<Value: FixedWidthInteger & Sendable>: Sendable {
  private(set) var runs: [(count: UInt32, value: Value)] = []

  mutating func append(_ value: Value, count: UInt32 = 1) {
    guard count > 0 else { return }
    if let last = runs.last, last.value == value, last.count <= UInt32.max - count {
      runs[runs.count - 1].count += count
    } else {
      runs.append((count, value))
    }
  }

  var last: Value? { runs.last?.value }

  var least: Value? { runs.lazy.map { $0.value }.min() }

  /// - Precondition: no value becomes too small.
  mutating func subtract(_ value: Value) {
    for index in runs.indices { runs[index].value -= value }
  }

  /// - Precondition: there is one.
  mutating func removeLast() -> Value {
    let value = runs[runs.count - 1].value
    runs[runs.count - 1].count -= 1
    if runs[runs.count - 1].count == 0 { runs.removeLast() }
    return value
  }
}
