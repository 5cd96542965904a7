import Frames
import Movies
import Recorder

/// Everything that the films of one recorder are made with.
struct RecordingSettings: Hashable, Sendable, Codable {
  var source = SourceSettings()
  var microphone = MicrophoneChoice.auto
  var exposure = ExposureOptions()
  /// A name pattern for a trace of the exposure decisions; `nil`: no trace.
  var exposureTrace: String?
  var bake = BakeSettings()
  var encoding = VideoEncoding()
  var file = FileSettings()
  /// The films' name pattern, as strftime reads it.
  var output = "camrec_%Y-%m-%d_%H-%M-%S%z.mov"
  /// Name patterns and clocks use UTC.
  var isUTC = false
  var hasSidecar = true
  var limit = LimitSettings()
  /// `wait` is for sources that are pulled, and never asked for.
  var onOverload = OverloadPolicy.drop
  /// The most film that a crash may cost, 200 ms to 10 s; `nil`: a second.
  var maxLoss: TimeSpan?
  /// Fills gaps by repeating the frame before them.
  var fillsGaps = false
  var segment: SegmentChoice?
  var relief = ReliefSettings()
  /// How much each film includes from before its start; `nil`: nothing.
  var preRoll: TimeSpan?

  var session: SessionOptions {
    var session = SessionOptions(
      overload: onOverload, limit: limit.limit, audioOffset: file.audioOffset?.nanoseconds ?? 0)
    if let maxLoss { session.lossLimit = maxLoss.seconds }
    session.fillsGaps = fillsGaps
    return session
  }
}
