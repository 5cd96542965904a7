/// The times at which a clip shows something: those of its frames, and those between them at its own rate. A frame that
/// it lost leaves a hole.
struct ShownTimes {
  /// Rising.
  private let times: [Double]
  /// How far a time may be from that of the nearest frame.
  private let reach: Double

  /// Of the usual time between two frames. Less than 1, the distance to the place of a lost frame; more than 1/2, the
  /// middle between two, because files round times.
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
