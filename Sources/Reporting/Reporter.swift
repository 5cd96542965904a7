package import Frames
package import Recorder
package import Sidecar

/// Reports a recording's progress to people or to a program.
package protocol Reporter: SessionObserver {
  /// Everything is set up. Called once, before the session runs.
  func prepared(_ description: RecordingDescription)
  /// Gives the control socket's absolute path, or `nil` while there is none. Called once at most, before anything else.
  func isReached(at socket: @escaping () -> String?)
  /// The recorder stands by: it records nothing until it is told to start.
  func standsBy()
  /// Standby keeps this pre-roll for the next film.
  func keeps(_ preRoll: PreRollDescription)
  /// There will be no recording.
  func refused(_ error: CamrecError)
  /// The recording has ended; `status` is what camrec would exit with if this were the only film.
  func stopped(_ summary: SessionSummary, status: ExitStatus)
}

extension Reporter {
  /// For reporters that say nothing about it.
  package func isReached(at socket: @escaping () -> String?) {}
  package func standsBy() {}
  package func keeps(_ preRoll: PreRollDescription) {}
}

/// A recording that is about to begin, in words and numbers.
package struct RecordingDescription: Hashable, Sendable {
  package var camera: String
  package var microphone: String?
  /// The source has audio, but a hash recording has none.
  package var leavesOutAudio = false
  package var width: Int
  package var height: Int
  package var frameRate: FrameRate
  package var pixelFormat: String
  package var colorIn: String
  /// Neither the clip nor the user has named the colours.
  package var isColorInGuessed = false
  package var colorOut: String
  package var lutTitle: String?
  package var lutSHA256: String?
  package var look: SidecarLook?
  /// The GPU; `nil` for the CPU.
  package var bakedOn: String?
  /// How camrec exposes the camera; `nil` if it does not.
  package var exposure: String?
  package var codec: String
  package var output: String
  /// What keeps a live film safe; `nil` for others.
  package var safety: Safety?

  package init(
    camera: String, microphone: String? = nil, leavesOutAudio: Bool = false, width: Int, height: Int,
    frameRate: FrameRate, pixelFormat: String, colorIn: String, isColorInGuessed: Bool = false, colorOut: String,
    lutTitle: String? = nil, lutSHA256: String? = nil, look: SidecarLook? = nil, bakedOn: String? = nil,
    exposure: String? = nil, codec: String, output: String, safety: Safety? = nil
  ) {
    self.camera = camera
    self.microphone = microphone
    self.leavesOutAudio = leavesOutAudio
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.pixelFormat = pixelFormat
    self.colorIn = colorIn
    self.isColorInGuessed = isColorInGuessed
    self.colorOut = colorOut
    self.lutTitle = lutTitle
    self.lutSHA256 = lutSHA256
    self.look = look
    self.bakedOn = bakedOn
    self.exposure = exposure
    self.codec = codec
    self.output = output
    self.safety = safety
  }

  package struct Safety: Hashable, Sendable {
    /// Seconds that a power cut may cost: as asked for, and in fact while bake, encoder and disk keep up; the latter is
    /// `nil` if it is not known.
    package var lossLimit: Double
    package var lossBound: Double?
    /// What waits in memory at most while the disk stalls.
    package var bufferBytes: Int
    /// Seconds of film in these bytes at the rate expected; half of that if the pictures are dark and noisy.
    package var bufferSeconds: Double

    package init(lossLimit: Double, lossBound: Double? = nil, bufferBytes: Int, bufferSeconds: Double) {
      self.lossLimit = lossLimit
      self.lossBound = lossBound
      self.bufferBytes = bufferBytes
      self.bufferSeconds = bufferSeconds
    }

    /// The rate expected of such a film.
    package var bytesPerSecond: Double { Double(bufferBytes) / bufferSeconds }
  }
}
