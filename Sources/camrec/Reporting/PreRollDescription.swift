/// The pre-roll that standby keeps.
struct PreRollDescription: Hashable, Sendable {
  /// Seconds asked for.
  var seconds: Double
  /// Bytes of memory, at most.
  var bytes: Int
  /// Seconds of film that this memory holds at the rate expected.
  var secondsAtMost: Double
}
