/// The times at which a clip shows something: those of its frames, and those between them at its own rate. A frame that
/// it lost leaves a hole.
struct ShownTimes {
  /// Rising.
  private let times: [Double]
  /// How far a time may be from that of the nearest frame.
  private let reach: Double

  /// Of the usual time between two frames. As files round times, it is less than to the place of a lost one, and more
  /// than to the middle between two.
  private static let part = 0.75

  /// - Parameter times: of the frames, in any order.
  init(_ times: [Double]) {
    let times = times.sorted()
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    self.times = times
    reach = steps.isEmpty ? 0 : steps[steps.count / 2] * ShownTimes.part
  }

  /// O(log n).
  func contains(_ time: Double) -> Bool {
    var low = 0, high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return [low - 1, low].contains { times.indices.contains($0) && abs(times[$0] - time) < reach }
  }
}
