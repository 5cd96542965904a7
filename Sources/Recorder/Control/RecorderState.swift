public import Foundation
import Frames
public import Movies

/// How a recorder goes, as it tells everybody who asks.
public struct RecorderState: Hashable, Sendable, Codable {
  public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
    /// No film; the camera is not open, unless there is a pre-roll.
    case standby
    /// Opening camera and film.
    case starting
    case recording
    /// The camera is away, and looked for.
    case waiting
    /// Finishing the film.
    case stopping
    /// There will be no other film.
    case ended
  }

  /// Frames, of all films since the recorder started, and those that were due between two of them.
  public struct Ledger: Hashable, Sendable, Codable {
    public var expected = 0
    public var captured = 0
    public var written = 0
    /// By the names of `LossReason`; what is 0 is left out.
    public var lost: [String: Int] = [:]

    public init() {}
  }

  /// Frames and sound of one film.
  public struct FilmAccount: Hashable, Sendable, Codable {
    public var ledger: Ledger
    /// Audio frames that the microphone lost.
    public var soundLost: Int64

    public init(ledger: Ledger = Ledger(), soundLost: Int64 = 0) {
      self.ledger = ledger
      self.soundLost = soundLost
    }
  }

  /// Of all films since the recorder started.
  public struct Totals: Hashable, Sendable, Codable {
    /// Of film, as far as they are written.
    public var bytes: Int64 = 0
    /// Audio frames, one sample of each channel: written, and lost by the microphone.
    public var soundFrames: Int64 = 0
    public var soundLost: Int64 = 0
    /// As often as somebody was warned: of losses, and of everything else.
    public var warnings = 0
    /// How often the camera went away and was waited for.
    public var absences: Int? = 0
    /// Old films that were deleted; `nil` where none ever are.
    public var deletedFilms: Int?

    public init() {}
  }

  /// Places in a queue, and how many of them are taken.
  public struct Queue: Hashable, Sendable, Codable {
    public var depth: Int
    public var capacity: Int

    public init(depth: Int, capacity: Int) {
      self.depth = depth
      self.capacity = capacity
    }
  }

  /// Frames that wait for the bake and for the encoder, and blocks of sound that wait to be written.
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

  /// What pictures are made with, as far as load and heat have taken that down (`EffortControl`).
  public struct Effort: Hashable, Sendable, Codable {
    /// The next file's; `nil` where the encoder has none.
    public var preset: String?
    /// Threads that bake.
    public var workers: Int
    /// 0: as it was asked for.
    public var loadStep: Int
    public var heatStep: Int
    /// Frames that the encoder takes in the time of one, while it is busy; `nil` before it is known.
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
    /// The camera's own number, where it tells one.
    public var distance: Double?

    public init(phase: Phase, distance: Double? = nil) {
      self.phase = phase
      self.distance = distance
    }
  }

  /// What a film that begins now is exposed by.
  public struct NextExposure: Hashable, Sendable, Codable {
    /// As `--exposure` says it.
    public var mode: String
    /// EV that was asked for beside the meter.
    public var bias: Double
    public var isLocked: Bool

    public init(mode: String, bias: Double, isLocked: Bool) {
      self.mode = mode
      self.bias = bias
      self.isLocked = isLocked
    }
  }

  /// A place of the film that has a name.
  public struct Marker: Hashable, Sendable, Codable, CustomStringConvertible {
    public var text: String
    /// Of film.
    public var seconds: Double
    /// The label of its frame; `nil` without timecode.
    public var timecode: String?

    public init(text: String, seconds: Double, timecode: String? = nil) {
      self.text = text
      self.seconds = seconds
      self.timecode = timecode
    }

    /// `marker 'take 2' at 0:01:23.4 (17:33:09:05)`.
    public var description: String {
      let tenths = Int64(saturating: (seconds * 10).rounded(.down)), whole = tenths / 10
      let time = String(format: "%lld:%02lld:%02lld.%lld", whole / 3600, whole / 60 % 60, whole % 60, tenths % 10)
      return "marker '\(text)' at \(time)\(timecode.map { " (\($0))" } ?? "")"
    }
  }

  /// How loud the sound is, of full scale, 0…1.
  public struct Level: Hashable, Sendable, Codable {
    /// The largest sample; it falls by 20 dB in 1.7 s.
    public var peak: Double
    /// The highest of the last two seconds.
    public var held: Double
    /// It has reached full scale within the last three seconds.
    public var isClipped: Bool

    public init(peak: Double, held: Double, isClipped: Bool) {
      self.peak = peak
      self.held = held
      self.isClipped = isClipped
    }
  }

  public var phase: Phase
  /// The film that is being recorded, or was recorded last.
  public var film: String?
  /// Which file of its recording that is, counted from 1, where the recording is divided into files.
  public var segment: Int?
  /// Films begun since the recorder started.
  public var films = 0
  public var source: Source?
  /// When the recording's first frame was taken.
  public var started: Date?
  /// Of the recording, in all its files.
  public var seconds = 0.0
  public var bytes: Int64 = 0
  /// The label of the frame that was captured last; `nil` without timecode.
  public var timecode: String?
  /// The latest of the film that is being recorded.
  public var marker: Marker?
  /// `nil` while nothing is heard.
  public var level: Level?
  public var ledger = Ledger()
  /// Of the film that is being recorded, or was recorded last; `nil` before the first.
  public var filmAccount: FilmAccount?
  /// Bytes and synchronisations of all films since the recorder started; buffer and stall of the one that is recorded;
  /// `nil` before the first.
  public var disk: DiskStatus?
  public var totals: Totals?
  /// Of the film that is being recorded.
  public var queues: Queues?
  /// `nil` where nobody has asked to follow load or heat.
  public var effort: Effort?
  /// The camera's measured rate against its nominal one in parts per million, where it could be told.
  public var ratePartsPerMillion: Double?
  /// How often the recorder's own thread has looked around, ten times a second where it has nothing else to do: where
  /// it stands still, it hangs. Only in the recorder's own state: it is no news to a remote.
  public var beats: Int?
  /// What a film that begins now would have of what was before; `nil` where nothing is kept.
  public var preRoll: PreRollStatus?
  /// `nil` where camrec does not expose the camera.
  public var exposure: ExposureStatus?
  /// While no camera is open; `nil` where camrec does not expose it.
  public var nextExposure: NextExposure?
  /// Kelvin, or `auto`; `nil` where the camera does not tell.
  public var whiteBalance: String?
  public var focus: Focus?
  /// Why the last film ended before it was asked to.
  public var failure: String?

  public init(phase: Phase) { self.phase = phase }
}
