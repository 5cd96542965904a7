/// How the time from the capture to the medium is shared out.
///
/// Queues and encoder get what the others leave: frames that an encoder may look at are what its compression lives on.
struct LossBudget: Hashable {
  /// Seconds in all.
  let limit: Double

  init(_ limit: Double) { self.limit = limit }

  /// The longest fragment, in seconds. The muxer keeps one in memory, so that it ends after two seconds in any case.
  var fragment: Double { min(limit / 5, 2) }

  /// For writing a fragment and its `fdatasync`. Solid-state disks take 1 to 30 ms.
  var disk: Double { limit / 10 }

  /// For the queues and the encoder.
  var encoder: Double { limit - fragment - disk }

  /// Seconds that a fragment's way to the medium may take before the limit is broken, where what lies before it takes
  /// less than its share.
  ///
  /// - Parameter bound: of the whole way, with the disk's share in it.
  func allowance(ofBound bound: Double?) -> Double { max(disk, disk + limit - (bound ?? limit)) }
}
