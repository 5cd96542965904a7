public import Frames

/// A film that is about to begin, in words and numbers.
///
/// The one value from which events, sidecars and the recorder's state describe a film, each in its own words.
public struct RecordingDescription: Hashable, Sendable {
  /// The recording, and this film.
  public var identity: RecordingIdentity
  /// The camera's name for people; a clip's is that of its file.
  public var camera: String
  /// The microphone's name; `nil` for a film without audio.
  public var microphone: String?
  /// The source has audio, but a hash recording has none.
  public var leavesOutAudio = false
  /// The size of the camera's frames, in pixels.
  public var width: Int
  public var height: Int
  public var frameRate: FrameRate
  /// As the camera delivers it: `nv12`, `mjpg`.
  public var pixelFormat: String
  public var colorIn: String
  /// Neither the clip or camera nor the user has named the colours.
  public var isColorInGuessed = false
  public var colorOut: String
  public var lut: LUTIdentity?
  public var look: LookIdentity?
  /// The GPU; `nil` for the CPU.
  public var bakedOn: String?
  /// How camrec exposes the camera; `nil` if it does not.
  public var exposure: String?
  public var codec: String
  /// The film's path, as it was given.
  public var output: String
  /// What keeps a live film safe; `nil` for others.
  public var safety: Safety?

  public init(
    identity: RecordingIdentity, camera: String, microphone: String? = nil, leavesOutAudio: Bool = false,
    width: Int, height: Int, frameRate: FrameRate, pixelFormat: String, colorIn: String,
    isColorInGuessed: Bool = false, colorOut: String, lut: LUTIdentity? = nil, look: LookIdentity? = nil,
    bakedOn: String? = nil, exposure: String? = nil, codec: String, output: String, safety: Safety? = nil
  ) {
    self.identity = identity
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
    self.lut = lut
    self.look = look
    self.bakedOn = bakedOn
    self.exposure = exposure
    self.codec = codec
    self.output = output
    self.safety = safety
  }

  public struct Safety: Hashable, Sendable {
    /// Seconds that a power cut may cost: as asked for, and in fact while bake, encoder and disk keep up; the latter is
    /// `nil` if it is not known.
    public var lossLimit: Double
    public var lossBound: Double?
    /// What waits in memory at most while the disk stalls.
    public var bufferBytes: Int
    /// Seconds of film in these bytes at the rate expected; half of that if the pictures are dark and noisy.
    public var bufferSeconds: Double

    public init(lossLimit: Double, lossBound: Double? = nil, bufferBytes: Int, bufferSeconds: Double) {
      self.lossLimit = lossLimit
      self.lossBound = lossBound
      self.bufferBytes = bufferBytes
      self.bufferSeconds = bufferSeconds
    }

    /// The rate expected of such a film.
    public var bytesPerSecond: Double { Double(bufferBytes) / bufferSeconds }
  }
}

extension RecorderState.Source {
  /// What the recorder's state says of a film's source.
  public init(_ description: RecordingDescription) {
    self.init(
      camera: description.camera, width: description.width, height: description.height,
      frameRate: description.frameRate.description, pixelFormat: description.pixelFormat)
  }
}
