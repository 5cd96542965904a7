/// Divides the time from the capture to the medium.
///
/// Queues and encoder get what the rest leaves: the more frames an encoder can look at, the better it compresses.
struct LossBudget: Hashable {
  /// Seconds in all.
  let limit: Double

  init(_ limit: Double) { self.limit = limit }

  /// The muxer keeps a fragment in memory, so no fragment lasts longer than two seconds.
  static let longestFragment = 2.0

  /// The longest fragment, in seconds.
  var fragment: Double { min(limit / 5, LossBudget.longestFragment) }

  /// Seconds for writing a fragment and its `fdatasync`. Solid-state disks take 1 to 30 ms.
  var disk: Double { limit / 10 }

  /// Seconds for the queues and the encoder.
  var encoder: Double { limit - fragment - disk }

  /// Seconds that a fragment's way to the medium may take before the limit is broken, if everything before it takes
  /// less than its share.
  ///
  /// - Parameter bound: seconds of the whole way, the disk's share included.
  func allowance(ofBound bound: Double?) -> Double { max(disk, disk + limit - (bound ?? limit)) }
}
