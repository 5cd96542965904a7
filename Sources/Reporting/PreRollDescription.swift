/// The pre-roll that standby keeps.
package struct PreRollDescription: Hashable, Sendable {
  /// Seconds asked for.
  package var seconds: Double
  /// Bytes of memory, at most.
  package var bytes: Int
  /// Seconds of film that this memory holds at the rate expected.
  package var secondsAtMost: Double

  package init(seconds: Double, bytes: Int, secondsAtMost: Double) {
    self.seconds = seconds
    self.bytes = bytes
    self.secondsAtMost = secondsAtMost
  }
}
