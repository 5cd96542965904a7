/// How a live recording went for about a second.
package struct LoadReading: Hashable, Sendable {
  /// Frames that were lost because bake or encoder could not keep up.
  package var lost: Int
  /// The queue in front of the encoder was full at the end of it.
  package var isFull: Bool
  /// Frames that the encoder takes in the time of one, while it is busy: below 1 it falls behind. `nil` where it had
  /// none.
  package var speed: Double?

  package init(lost: Int, isFull: Bool, speed: Double?) {
    self.lost = lost
    self.isFull = isFull
    self.speed = speed
  }
}
