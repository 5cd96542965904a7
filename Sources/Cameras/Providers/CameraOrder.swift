package import Frames

/// What an opened camera has to deliver.
package struct CameraOrder: Hashable, Sendable {
  package enum Sound: Hashable, Sendable {
    /// None, or that of a microphone which is no part of the camera.
    case none
    /// The camera's own, if it has any.
    case own
    /// A simulated microphone's.
    case simulated
  }

  /// Colours by their name for `--color-in`.
  package struct Color: Hashable, Sendable {
    package let name: String
    /// What the name stands for, besides the range.
    package let description: ColorDescription
    /// `nil` if the name does not give it.
    package let range: ColorRange?

    package init(name: String, description: ColorDescription, range: ColorRange?) {
      self.name = name
      self.description = description
      self.range = range
    }
  }

  package var request: CameraRequest
  /// Frames that may be lent at once.
  package var frames: Int
  package var sound: Sound
  /// The colours that the frames will be taken for; `nil` for those that the camera reports.
  package var color: Color?
  /// A LUT converts the frames.
  package var hasLUT: Bool
  /// Frames with chroma for each pixel are lent as they are.
  package var keepsFullChroma: Bool

  package init(
    _ request: CameraRequest = CameraRequest(), frames: Int = 1, sound: Sound = .none, color: Color? = nil,
    hasLUT: Bool = false, keepsFullChroma: Bool = false
  ) {
    self.request = request
    self.frames = frames
    self.sound = sound
    self.color = color
    self.hasLUT = hasLUT
    self.keepsFullChroma = keepsFullChroma
  }
}
