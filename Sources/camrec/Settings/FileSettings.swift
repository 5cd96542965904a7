/// Properties of the file.
struct FileSettings: Hashable, Sendable, Codable {
  /// Replaces an existing file.
  var overwrite = false
  var rotation = RotationChoice.auto
  /// The first frame's timecode; `nil`: the clip's own, or without a clip the local time of day.
  var timecode: TimecodeChoice?
  /// Delays the audio, or advances it if negative; at most a second either way.
  var audioOffset: TimeSpan?
}
