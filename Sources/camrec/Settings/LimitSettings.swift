import Recorder

/// When a recording ends by itself: after so much film, or after so many frames, not both.
struct LimitSettings: Hashable, Sendable, Codable {
  var duration: TimeSpan?
  /// Lost frames included.
  var frames: Int64?

  var limit: RecordingLimit? { frames.map(RecordingLimit.frames) ?? duration.map { .seconds($0.seconds) } }
}
