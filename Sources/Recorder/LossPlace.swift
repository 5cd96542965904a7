/// The file in which lost frames lie, and the place of its first frame in the recording.
package struct LossPlace: Hashable, Sendable {
  package var film: String
  package var firstFrame: Int64

  package init(film: String, firstFrame: Int64) {
    self.film = film
    self.firstFrame = firstFrame
  }
}
