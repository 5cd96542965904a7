/// The load of a live recording over about a second.
package struct LoadReading: Hashable, Sendable {
  /// Frames lost because the bake or the encoder could not keep up.
  package var lost: Int
  /// The queue before the encoder was full at the end.
  package var isFull: Bool
  /// Frames that the encoder accepts per frame interval while it is busy: below 1 it falls behind. `nil` if it had
  /// none.
  package var speed: Double?

  package init(lost: Int, isFull: Bool, speed: Double?) {
    self.lost = lost
    self.isFull = isFull
    self.speed = speed
  }
}
