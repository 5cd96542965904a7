/// Properties of the file.
package struct FileSettings: Hashable, Sendable, Codable {
  /// Replaces an existing file.
  package var overwrite = false
  package var rotation = RotationChoice.auto
  /// The first frame's timecode; `nil`: the clip's own, or without a clip the local time of day.
  package var timecode: TimecodeChoice?
  /// Delays the audio, or advances it if negative; at most a second either way.
  package var audioOffset: TimeSpan?

  package init(
    overwrite: Bool = false, rotation: RotationChoice = RotationChoice.auto, timecode: TimecodeChoice? = nil,
    audioOffset: TimeSpan? = nil
  ) {
    self.overwrite = overwrite
    self.rotation = rotation
    self.timecode = timecode
    self.audioOffset = audioOffset
  }
}
