package import Recorder

/// When a recording ends by itself: after so much film, or after so many frames, not both.
package struct LimitSettings: Hashable, Sendable, Codable {
  package var duration: TimeSpan?
  /// Lost frames included.
  package var frames: Int64?

  package init(duration: TimeSpan? = nil, frames: Int64? = nil) {
    self.duration = duration
    self.frames = frames
  }

  package var limit: RecordingLimit? { frames.map(RecordingLimit.frames) ?? duration.map { .seconds($0.seconds) } }
}
