import Frames
import Recorder

/// Says to people, or to a program, how a recording goes.
protocol Reporter: SessionObserver {
  /// Everything is set up. Called once, before the session runs.
  func prepared(_ description: RecordingDescription)
  /// There will be no recording.
  func refused(_ error: CamrecError)
  /// The recording has ended; `status` is what camrec ends with.
  func stopped(_ summary: SessionSummary, status: ExitStatus)
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
  var colorOut: String
  var lutTitle: String?
  var lutSHA256: String?
  /// The GPU; `nil` for the CPU.
  var bakedOn: String?
  /// How the camera is exposed; `nil` where camrec does not.
  var exposure: String?
  var codec: String
  var output: String
}
