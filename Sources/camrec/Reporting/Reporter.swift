import Frames
import Recorder

/// Says to people, or to a program, how a recording goes.
protocol Reporter: SessionObserver {
  /// Everything is set up. Called once, before the session runs.
  func prepared(_ description: RecordingDescription)
  /// The control socket, from the root on. Called once at most, before anything else.
  func isReached(at socket: String)
  /// Nothing is recorded until somebody says so.
  func standsBy()
  /// Standing by, that much film is kept, with which one begins.
  func keeps(_ preRoll: PreRollDescription)
  /// There will be no recording.
  func refused(_ error: CamrecError)
  /// The recording has ended; `status` is this film's: what camrec would end with if there were no other.
  func stopped(_ summary: SessionSummary, status: ExitStatus)
}

extension Reporter {
  /// For who has no word for it.
  func isReached(at socket: String) {}
  func standsBy() {}
  func keeps(_ preRoll: PreRollDescription) {}
}

/// What is about to be recorded, in words and numbers.
struct RecordingDescription: Hashable, Sendable {
  var camera: String
  var microphone: String?
  var width: Int
  var height: Int
  var frameRate: FrameRate
  var pixelFormat: String
  var colorIn: String
  /// The clip does not say its colours, and nobody else has.
  var isColorInGuessed = false
  var colorOut: String
  var lutTitle: String?
  var lutSHA256: String?
  /// The GPU; `nil` for the CPU.
  var bakedOn: String?
  /// How the camera is exposed; `nil` where camrec does not.
  var exposure: String?
  var codec: String
  var output: String
  /// What keeps a live film safe; `nil` for others.
  var safety: Safety?

  struct Safety: Hashable, Sendable {
    /// Seconds that a power cut may cost, as they were asked for, and as they are; `nil` where that is not known.
    var lossLimit: Double
    var lossBound: Double?
    /// What waits in memory at most while the disk takes nothing.
    var bufferBytes: Int
    /// Film that this is at the rate that is expected at most.
    var bufferSeconds: Double

    /// What is expected of such a film at most.
    var bytesPerSecond: Double { Double(bufferBytes) / bufferSeconds }
  }
}
