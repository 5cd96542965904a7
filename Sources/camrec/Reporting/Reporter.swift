import Frames
import Recorder
import Sidecar

/// Reports a recording's progress to people or to a program.
protocol Reporter: SessionObserver {
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
  func isReached(at socket: @escaping () -> String?) {}
  func standsBy() {}
  func keeps(_ preRoll: PreRollDescription) {}
}

/// A recording that is about to begin, in words and numbers.
struct RecordingDescription: Hashable, Sendable {
  var camera: String
  var microphone: String?
  var width: Int
  var height: Int
  var frameRate: FrameRate
  var pixelFormat: String
  var colorIn: String
  /// Neither the clip nor the user has named the colours.
  var isColorInGuessed = false
  var colorOut: String
  var lutTitle: String?
  var lutSHA256: String?
  var look: SidecarLook?
  /// The GPU; `nil` for the CPU.
  var bakedOn: String?
  /// How camrec exposes the camera; `nil` if it does not.
  var exposure: String?
  var codec: String
  var output: String
  /// What keeps a live film safe; `nil` for others.
  var safety: Safety?

  struct Safety: Hashable, Sendable {
    /// Seconds that a power cut may cost: as asked for, and in fact while bake, encoder and disk keep up; the latter is
    /// `nil` if it is not known.
    var lossLimit: Double
    var lossBound: Double?
    /// What waits in memory at most while the disk stalls.
    var bufferBytes: Int
    /// Seconds of film in these bytes at the rate expected; half of that if the pictures are dark and noisy.
    var bufferSeconds: Double

    /// The rate expected of such a film.
    var bytesPerSecond: Double { Double(bufferBytes) / bufferSeconds }
  }
}
