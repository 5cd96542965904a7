import Frames
package import Movies
package import Recorder

/// Everything that the films of one recorder are made with.
package struct RecordingSettings: Hashable, Sendable, Codable {
  package var source = SourceSettings()
  package var microphone = MicrophoneChoice.auto
  package var exposure = ExposureOptions()
  /// A name pattern for a trace of the exposure decisions; `nil`: no trace.
  package var exposureTrace: String?
  package var bake = BakeSettings()
  package var encoding = VideoEncoding()
  package var file = FileSettings()
  /// The films' name pattern, as strftime reads it.
  package var output = "camrec_%Y-%m-%d_%H-%M-%S%z.mov"
  /// Name patterns and clocks use UTC.
  package var isUTC = false
  package var hasSidecar = true
  package var limit = LimitSettings()
  /// `wait` is for sources that are pulled, and never asked for.
  package var onOverload = OverloadPolicy.drop
  /// The most film that a crash may cost, 200 ms to 10 s; `nil`: a second.
  package var maxLoss: TimeSpan?
  /// Fills gaps by repeating the frame before them.
  package var fillsGaps = false
  package var segment: SegmentChoice?
  package var relief = ReliefSettings()
  /// How much each film includes from before its start; `nil`: nothing.
  package var preRoll: TimeSpan?
  /// A rig runs the recorder, and recovers what a full disk leaves of a film.
  package var isOfRig = false

  package init(
    source: SourceSettings = SourceSettings(), microphone: MicrophoneChoice = MicrophoneChoice.auto,
    exposure: ExposureOptions = ExposureOptions(), exposureTrace: String? = nil, bake: BakeSettings = BakeSettings(),
    encoding: VideoEncoding = VideoEncoding(), file: FileSettings = FileSettings(),
    output: String = "camrec_%Y-%m-%d_%H-%M-%S%z.mov", isUTC: Bool = false, hasSidecar: Bool = true,
    limit: LimitSettings = LimitSettings(), onOverload: OverloadPolicy = OverloadPolicy.drop,
    maxLoss: TimeSpan? = nil, fillsGaps: Bool = false, segment: SegmentChoice? = nil,
    relief: ReliefSettings = ReliefSettings(), preRoll: TimeSpan? = nil, isOfRig: Bool = false
  ) {
    self.source = source
    self.microphone = microphone
    self.exposure = exposure
    self.exposureTrace = exposureTrace
    self.bake = bake
    self.encoding = encoding
    self.file = file
    self.output = output
    self.isUTC = isUTC
    self.hasSidecar = hasSidecar
    self.limit = limit
    self.onOverload = onOverload
    self.maxLoss = maxLoss
    self.fillsGaps = fillsGaps
    self.segment = segment
    self.relief = relief
    self.preRoll = preRoll
    self.isOfRig = isOfRig
  }

  package var session: SessionOptions {
    var session = SessionOptions(
      overload: onOverload, limit: limit.limit, audioOffset: file.audioOffset?.nanoseconds ?? 0)
    if let maxLoss { session.lossLimit = maxLoss.seconds }
    session.fillsGaps = fillsGaps
    return session
  }
}
