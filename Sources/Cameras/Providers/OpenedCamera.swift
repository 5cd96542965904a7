package import Audio

/// A camera that a provider has opened.
package struct OpenedCamera {
  package var camera: any Camera
  /// Its own microphone.
  package var microphone: (any Microphone)?
  /// The camera has answered for the audio, even if there is none: no other microphone is looked for.
  package var bringsSound: Bool
  /// The audio's language, ISO 639-2, if known.
  package var language: String?
  /// Warnings from opening, besides the camera's own.
  package var warnings: [String]
  /// The camera waits for the recorder instead of running by itself, and need not lose anything.
  package var isPulled: Bool
  /// Camera and microphone each have their own clock.
  package var hasTwoClocks: Bool
  /// The camera delivers the colours that were asked for, and reports them itself.
  package var honorsColor: Bool

  package init(
    _ camera: any Camera, microphone: (any Microphone)? = nil, bringsSound: Bool = false, language: String? = nil,
    warnings: [String] = [], isPulled: Bool = false, hasTwoClocks: Bool = true, honorsColor: Bool = false
  ) {
    self.camera = camera
    self.microphone = microphone
    self.bringsSound = bringsSound
    self.language = language
    self.warnings = warnings
    self.isPulled = isPulled
    self.hasTwoClocks = hasTwoClocks
    self.honorsColor = honorsColor
  }
}
