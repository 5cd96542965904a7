public import Foundation
public import Frames
public import RecorderAPI

/// What a sidecar's first record says about its film.
public struct SidecarHead: Hashable, Sendable {
  /// `camrec 0.1.0`.
  public var software: String
  /// The film's name, without its folder.
  public var film: String
  public var camera: String
  /// The size of the camera's frames, in pixels.
  public var width: Int
  public var height: Int
  /// The camera's: `nv12`, `mjpg`.
  public var pixelFormat: String
  public var frameRate: FrameRate
  /// Seconds per tick of the film's frame times.
  public var timeBase: Rational
  public var colorIn: String
  public var colorOut: String
  public var lutTitle: String?
  public var lutSHA256: String?
  public var look: LookIdentity?
  /// The GPU; `nil` for the CPU.
  public var bakedOn: String?
  public var codec: String
  public var microphone: String?
  /// The sample rate of the film's audio, in hertz; `nil` without audio.
  public var sampleRate: Int?
  /// When the first frame was taken, to the millisecond.
  public var start: Date
  /// The first frame's timecode.
  public var timecode: String?
  /// The film that this one was made from, without its folder; `nil` for a recording.
  public var bakedFrom: String?
  /// The film's own UUID, and that of the recording that it shows; `nil` in sidecars of older versions.
  public var identity: RecordingIdentity?
  /// The UUID of the film that this one was made from; `nil` for a recording, or if that film has none.
  public var bakedFromID: UUID?

  public init(
    software: String, film: String, camera: String, width: Int, height: Int, pixelFormat: String, frameRate: FrameRate,
    timeBase: Rational, colorIn: String, colorOut: String, lutTitle: String? = nil, lutSHA256: String? = nil,
    look: LookIdentity? = nil, bakedOn: String? = nil, codec: String, microphone: String? = nil, sampleRate: Int? = nil,
    start: Date, timecode: String? = nil, bakedFrom: String? = nil, identity: RecordingIdentity? = nil,
    bakedFromID: UUID? = nil
  ) {
    self.software = software
    self.film = film
    self.camera = camera
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.frameRate = frameRate
    self.timeBase = timeBase
    self.colorIn = colorIn
    self.colorOut = colorOut
    self.lutTitle = lutTitle
    self.lutSHA256 = lutSHA256
    self.look = look
    self.bakedOn = bakedOn
    self.codec = codec
    self.microphone = microphone
    self.sampleRate = sampleRate
    self.start = start
    self.timecode = timecode
    self.bakedFrom = bakedFrom
    self.identity = identity
    self.bakedFromID = bakedFromID
  }

  /// The film shows a clip, and has that clip's own audio (`ClipCamera` and `ClipMicrophone` have these names).
  package var hasAudioOfClip: Bool {
    guard let microphone, camera.hasPrefix("clip ") else { return false }
    return microphone == "audio of \(camera.dropFirst(5))"
  }

  /// Ticks from one frame to the next at the exact rate.
  var ticksPerFrame: Int64 { (frameRate.frameDuration * timeBase.inverse).scaling(1) }
}
