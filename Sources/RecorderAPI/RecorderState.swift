public import Foundation
import Frames

/// The state of a recorder, as it reports it.
public struct RecorderState: Hashable, Sendable, Codable {
  public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
    /// No film; the camera is not open, unless there is a pre-roll.
    case standby
    /// Opening camera and film, until the film's first frame.
    case starting
    case recording
    /// The camera is gone, and the recorder looks for it; or it is back, and the recording cannot continue yet. Both
    /// until the first frame of the film that follows.
    case waiting
    /// Finishing the film.
    case stopping
    /// No more films will be made.
    case ended
  }

  /// Frames of all films since the recorder started, and those due between two films.
  public struct Ledger: Hashable, Sendable, Codable {
    public var expected = 0
    public var captured = 0
    public var written = 0
    /// By the names of `LossReason`; zeros are left out.
    public var lost: [String: Int] = [:]

    public init() {}
  }

  /// Frames and audio of one recording.
  public struct FilmAccount: Hashable, Sendable, Codable {
    public var ledger: Ledger
    /// Audio frames lost by the microphone.
    public var soundLost: Int64

    public init(ledger: Ledger = Ledger(), soundLost: Int64 = 0) {
      self.ledger = ledger
      self.soundLost = soundLost
    }
  }

  /// Totals of all films since the recorder started.
  public struct Totals: Hashable, Sendable, Codable {
    /// Bytes of film written so far.
    public var bytes: Int64 = 0
    /// Audio frames written (one sample of each channel).
    public var soundFrames: Int64 = 0
    /// Audio frames lost by the microphone.
    public var soundLost: Int64 = 0
    /// Number of warnings, about losses and everything else.
    public var warnings = 0
    /// How often the camera went away and the recorder waited for it.
    public var absences: Int? = 0
    /// Number of old films deleted; `nil` if films are never deleted.
    public var deletedFilms: Int?

    public init() {}
  }

  /// The places in a queue, and how many of them are taken.
  public struct Queue: Hashable, Sendable, Codable {
    public var depth: Int
    public var capacity: Int

    public init(depth: Int, capacity: Int) {
      self.depth = depth
      self.capacity = capacity
    }
  }

  /// Frames waiting for the bake and for the encoder, and blocks of sound waiting to be written.
  public struct Queues: Hashable, Sendable, Codable {
    public var captured: Queue
    public var baked: Queue
    public var sound: Queue

    public init(captured: Queue, baked: Queue, sound: Queue) {
      self.captured = captured
      self.baked = baked
      self.sound = sound
    }
  }

  /// The present effort of bake and encoder, after reductions by load and heat (`EffortControl`).
  public struct Effort: Hashable, Sendable, Codable {
    /// The preset of the next file; `nil` if the encoder has no presets.
    public var preset: String?
    /// Threads that bake.
    public var workers: Int
    /// 0 is full effort.
    public var loadStep: Int
    /// 0 is full effort.
    public var heatStep: Int
    /// Frames that the encoder accepts per frame interval while it is busy; `nil` while unknown.
    public var encoderSpeed: Double?

    public init(preset: String?, workers: Int, loadStep: Int, heatStep: Int, encoderSpeed: Double?) {
      self.preset = preset
      self.workers = workers
      self.loadStep = loadStep
      self.heatStep = heatStep
      self.encoderSpeed = encoderSpeed
    }
  }

  public struct Source: Hashable, Sendable, Codable {
    public var camera: String
    public var width: Int
    public var height: Int
    /// Exact: `24`, `24000/1001`.
    public var frameRate: String
    public var pixelFormat: String

    public init(camera: String, width: Int, height: Int, frameRate: String, pixelFormat: String) {
      self.camera = camera
      self.width = width
      self.height = height
      self.frameRate = frameRate
      self.pixelFormat = pixelFormat
    }
  }

  public struct Focus: Hashable, Sendable, Codable {
    public enum Phase: String, Hashable, Sendable, Codable { case free, searching, held, failed }

    public var phase: Phase
    /// The camera's own number, if it reports one.
    public var distance: Double?

    public init(phase: Phase, distance: Double? = nil) {
      self.phase = phase
      self.distance = distance
    }
  }

  /// The exposure settings of a film that begins now.
  public struct NextExposure: Hashable, Sendable, Codable {
    /// As for `--exposure`.
    public var mode: String
    /// The requested offset from the meter, in EV.
    public var bias: Double
    public var isLocked: Bool

    public init(mode: String, bias: Double, isLocked: Bool) {
      self.mode = mode
      self.bias = bias
      self.isLocked = isLocked
    }
  }

  /// A named place in the film.
  public struct Marker: Hashable, Sendable, Codable, CustomStringConvertible {
    public var text: String
    /// Its place, in seconds of the film.
    public var seconds: Double
    /// The timecode of its frame; `nil` without timecode.
    public var timecode: String?

    public init(text: String, seconds: Double, timecode: String? = nil) {
      self.text = text
      self.seconds = seconds
      self.timecode = timecode
    }

    /// `marker 'take 2' at 0:01:23.4 (17:33:09:05)`.
    public var description: String {
      let tenths = Int64(saturating: (seconds * 10).rounded()), whole = tenths / 10
      let time = String(format: "%lld:%02lld:%02lld.%lld", whole / 3600, whole / 60 % 60, whole % 60, tenths % 10)
      return "marker '\(text)' at \(time)\(timecode.map { " (\($0))" } ?? "")"
    }
  }

  /// The level of the sound as a fraction of full scale, 0…1.
  public struct Level: Hashable, Sendable, Codable {
    /// The peak; it falls by 20 dB in 1.7 s.
    public var peak: Double
    /// The highest peak of the last two seconds.
    public var held: Double
    /// The sound has reached full scale within the last three seconds.
    public var isClipped: Bool

    public init(peak: Double, held: Double, isClipped: Bool) {
      self.peak = peak
      self.held = held
      self.isClipped = isClipped
    }
  }

  public var phase: Phase
  /// The film that is starting or being recorded, otherwise the one recorded last.
  public var film: String?
  /// The UUIDs of that film and of its recording, as `RecordingIdentity` writes them. Version 1 of the control protocol
  /// does not have them.
  public var filmID: String?
  public var recordingID: String?
  /// The number of that file, counted from 1, if the film is divided into files.
  public var segment: Int?
  /// Films begun since the recorder started; all files of one that is divided count as one. A recording has several
  /// if it goes on after a lost camera, or with another rate, format or camera.
  public var films = 0
  public var source: Source?
  /// When the film's first frame was taken.
  public var started: Date?
  /// Length of the film in seconds, over all its files.
  public var seconds = 0.0
  /// Size of the film, over all its files.
  public var bytes: Int64 = 0
  /// Seconds of film that were captured and are not on the medium yet: a crash now would cost them. `nil` without a
  /// film, and for output that nobody has confirmed.
  public var unsavedSeconds: Double?
  /// Seconds that these are at most while bake, encoder and disk keep up; `nil` if unknown.
  public var lossBound: Double?
  /// The timecode of the frame captured last; `nil` without timecode.
  public var timecode: String?
  /// The latest marker of the current film; of its current file, if the recording is divided.
  public var marker: Marker?
  /// `nil` while nothing is heard.
  public var level: Level?
  public var ledger = Ledger()
  /// The account of the present film, or of the last, over all its files; `nil` before the first.
  public var filmAccount: FilmAccount?
  /// Bytes and synchronisations of all films since the recorder started; buffer and stall of the current film; `nil`
  /// before the first.
  public var disk: DiskStatus?
  public var totals: Totals?
  /// The queues of the current film.
  public var queues: Queues?
  /// `nil` if the recorder does not adapt to load or heat.
  public var effort: Effort?
  /// The camera's measured deviation from its nominal rate in parts per million, if known.
  public var ratePartsPerMillion: Double?
  /// Counts the rounds of the recorder's own thread, ten a second while it is idle; if the count stands still, the
  /// thread hangs. Only in the recorder's own state: remotes do not need it.
  public var beats: Int?
  /// The pre-roll that a film would have if it began now; `nil` if none is kept.
  public var preRoll: PreRollStatus?
  /// `nil` if camrec does not control the exposure.
  public var exposure: ExposureStatus?
  /// Set while no camera is open; `nil` if camrec does not control the exposure.
  public var nextExposure: NextExposure?
  /// Kelvin, or `auto`; `nil` if the camera does not tell. What the camera said last: nobody asks it for a state.
  public var whiteBalance: String?
  /// How long ago the camera was asked for its white balance, in seconds; `nil` if it never was. Only told to remotes
  /// that have asked for more than version 1 of the control protocol.
  public var whiteBalanceAge: Double?
  public var focus: Focus?
  /// Why the last film ended early.
  public var failure: String?
  /// Why no film could begin, or nothing of it was kept: at the last start, or after a film that a change of its source
  /// had ended.
  public var startFailure: String?
  /// Why the recorder waits for its camera, or stands by without it.
  public var cameraFailure: String?
  /// Why the recording does not continue although its camera is back, while the recorder waits: for room, say.
  public var continuationFailure: String?

  public init(phase: Phase) { self.phase = phase }

  /// The present film, or the last, and its recording: `filmID` and `recordingID`.
  public var identity: RecordingIdentity? {
    get {
      guard let recordingID, let filmID else { return nil }
      return RecordingIdentity(recordingID: recordingID, filmID: filmID)
    }
    set { (recordingID, filmID) = (newValue?.recordingID, newValue?.filmID) }
  }

  /// The members of a state, by their names in JSON. A property that is not among them is not written.
  public enum CodingKeys: String, CodingKey, CaseIterable, Sendable {
    case phase, film, filmID, recordingID, segment, films, source, started, seconds, bytes, unsavedSeconds, lossBound
    case timecode, marker, level, ledger, filmAccount, disk, totals, queues, effort, ratePartsPerMillion, beats
    case preRoll, exposure, nextExposure, whiteBalance, whiteBalanceAge, focus, failure, startFailure
    case cameraFailure, continuationFailure
  }
}
