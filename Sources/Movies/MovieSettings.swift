public import Audio
public import Frames

/// Everything a sink is told before the first frame.
public struct MovieSettings: Hashable, Sendable {
  public var path: String
  public var overwrite: Bool
  public var container: Container
  /// The frames that `write` gets, with the colour that the file is tagged with.
  public var format: FrameFormat
  public var frameRate: FrameRate
  /// Seconds per tick of frame times; `MovieSettings.timeBase(for:)` makes an exact one.
  public var timeBase: Rational
  /// The format of the audio to come; `nil` for none.
  public var audio: AudioFormat?
  /// ISO 639-2: `fra`; `nil` leaves the language out.
  public var audioLanguage: String?
  public var encoding: VideoEncoding
  public var rotation: Rotation
  /// A pixel's width divided by its height.
  public var pixelAspect: Rational
  public var timecode: Timecode?
  /// Seconds since 1970, UTC.
  public var creationTime: Int64
  /// More metadata, in order: LUT title and SHA-256, version, ….
  public var metadata: [MetadataEntry]
  /// Fragments while writing, an index at the end; false writes an indexed file at once.
  public var isLive: Bool
  /// Frames that may be on their way from the camera to `write`; a live recording's encoder holds that many fewer.
  public var framesBefore: Int
  /// Seconds of a live recording that a power cut may cost, from the capture to the medium, while the disk keeps up.
  public var lossLimit: Double
  /// A film that is not live is kept when a failure ends it, as a live one is. A .mov is written in fragments for that.
  public var staysPlayable = false
  /// Chapters to come (`MovieSink.mark`) in a film that is not live. A .mov is written in fragments for them, because
  /// libavformat moves the first chapter of an indexed one to its beginning.
  public var chapters = 0
  /// Frames may be stored again (`MovieSink.repeatFrame`); the encoder then holds one more.
  public var fillsGaps = false
  /// A rig runs the recorder, and recovers what a full disk leaves of the film.
  public var isOfRig = false

  public init(
    path: String, overwrite: Bool = false, container: Container, format: FrameFormat, frameRate: FrameRate,
    timeBase: Rational? = nil, audio: AudioFormat?, audioLanguage: String? = nil, encoding: VideoEncoding,
    rotation: Rotation = .none,
    pixelAspect: Rational = Rational(1), timecode: Timecode? = nil, creationTime: Int64,
    metadata: [MetadataEntry] = [], isLive: Bool, framesBefore: Int = 0,
    lossLimit: Double = 1
  ) {
    self.path = path
    self.overwrite = overwrite
    self.container = container
    self.format = format
    self.frameRate = frameRate
    self.timeBase = timeBase ?? MovieSettings.timeBase(for: frameRate)
    self.audio = audio
    self.audioLanguage = audioLanguage
    self.encoding = encoding
    self.rotation = rotation
    self.pixelAspect = pixelAspect
    self.timecode = timecode
    self.creationTime = creationTime
    self.metadata = metadata
    self.isLive = isLive
    self.framesBefore = framesBefore
    self.lossLimit = lossLimit
  }

  /// A time base in which frames of `rate` last a whole number of ticks and times between them are exact to 100 µs or
  /// better: 1/24000 for 24 and for 24000/1001.
  public static func timeBase(for rate: FrameRate) -> Rational {
    var scale = rate.rational.numerator
    if rate.rational.denominator == 1 || scale < 10_000 { scale *= 1000 }
    return Rational(1, scale)
  }
}

public struct MetadataEntry: Hashable, Sendable {
  public let key: String
  public let value: String
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// The file type, by the output's extension.
public enum Container: String, Hashable, Sendable, CaseIterable {
  case mov, mkv, framemd5
}

public enum VideoCodec: String, Hashable, Sendable, Codable, CaseIterable {
  case hevc, prores, ffv1
}

/// How frames are compressed.
public struct VideoEncoding: Hashable, Sendable, Codable {
  public var codec: VideoCodec
  /// A libavcodec encoder's name; `nil` is auto: libx265, prores_aw, ffv1.
  public var encoder: String?
  public var preset: String?
  public var rate: RateControl?
  public var profile: String?
  /// Cores that the encoder may use; `nil`: all of the machine's.
  public var cores: Int?

  public init(
    codec: VideoCodec = .hevc, encoder: String? = nil, preset: String? = nil, rate: RateControl? = nil,
    profile: String? = nil, cores: Int? = nil
  ) {
    self.codec = codec
    self.encoder = encoder
    self.preset = preset
    self.rate = rate
    self.profile = profile
    self.cores = cores
  }
}

public enum RateControl: Hashable, Sendable, Codable {
  /// CRF for libx265, the quantiser scale elsewhere.
  case quality(Int)
  /// Bits per second.
  case bitrate(Int)
}
