public import Frames
public import Movies
public import Platform
public import RecorderAPI

/// Follows a session. Called on the thread that runs the session, never on a thread of the frame path.
public protocol SessionObserver: AnyObject {
  /// Called before `started` for a film with a pre-roll.
  ///
  /// - Parameter number: the one that the film's first frame was baked with.
  func begins(withFrame number: Int64)
  /// The first frame has arrived.
  func started(at time: MonotonicTime)
  /// The file written from now on, or its new name.
  func writes(_ path: String)
  func progressed(_ progress: SessionProgress)
  /// - Parameter sentence: as the command line says it.
  func warned(_ sentence: String)
  /// A remark with fields; it may be a warning.
  func remarked(_ remark: SessionRemark)
  /// The recorder has reduced its effort, or increased it again, or cannot reduce it any further.
  func eased(_ change: EffortChange)
  /// A segment of a divided recording is complete, or cut off.
  func segmented(_ segment: FinishedSegment)
}

extension SessionObserver {
  /// Ignores the number.
  public func begins(withFrame number: Int64) {}
  /// Ignores the name.
  public func writes(_ path: String) {}
  /// Passes on a warning without its fields.
  public func remarked(_ remark: SessionRemark) { if remark.isWarning { warned(remark.message) } }
  /// Passes on the sentence without the fields.
  public func eased(_ change: EffortChange) { warned(change.message) }
  public func segmented(_ segment: FinishedSegment) {}
}

/// How far a recording has got.
public struct SessionProgress: Hashable, Sendable {
  /// Length of the film so far, in seconds: up to the end of the last captured frame.
  public var seconds: Double
  public var counts: FrameLedger.Counts
  /// Repeated frames that fill gaps of the film so far.
  public var repeated: Int
  /// Frames written per second since the last reading, without repeated ones.
  public var framesPerSecond: Double
  public var bytes: Int64
  /// The largest sample since the last reading, 0…1; `nil` without sound.
  public var peak: Double?
  /// Seconds of film that were captured and are not on the medium yet: a crash now would cost them. `nil` without a
  /// film, and for output that nobody has confirmed.
  public var unsavedSeconds: Double?

  /// Frames in the film so far, repeated ones included.
  public var frames: Int { counts.written + repeated }
}

/// How a recording ended.
public struct SessionSummary: Sendable {
  public var counts: FrameLedger.Counts
  /// `nil` if nothing was recorded. With several files: the last one's path, and the bytes and frames of all.
  public var movie: MovieReport?
  /// Number of finished files.
  public var segments: Int
  public var sound: SoundSummary?
  /// The recording, and its last film, whether or not that was kept; `nil` if no film was begun.
  public var identity: RecordingIdentity?
  /// Why the sound ended before the picture did; later sound is lost.
  public var soundFailure: CamrecError?
  /// Why the recording ended early; the error's code decides the exit status.
  public var failure: CamrecError?
  /// Films that were deleted while they were being recorded and saved as copies.
  public var rescued = 0
  /// Deleted films without a copy: they exist as long as these objects are kept.
  public var held: [HeldFilm] = []
  /// Files beside films that did not answer, with threads left waiting for them.
  public var stalled: [StalledFile] = []
  /// The camera's measured deviation from its nominal rate in parts per million, if known.
  public var ratePartsPerMillion: Double?
  public var isVariableRate: Bool
  /// Frames due between the previous film and this one; `nil` if this film does not continue another.
  public var framesBetween: Int?
  /// Length of the film in seconds, from the first frame to the end of the last; of several files, of those that were
  /// kept.
  public var seconds = 0.0
  /// Repeated frames that fill gaps of the film.
  public var repeated = 0
  /// `nil` if the film is complete, or if there is none.
  public var partial: PartialBake?
  /// Remarks beside the account.
  public var remarks: [SessionRemark] = []
  /// The film that `failure` names; it may be another than `movie`, and not kept.
  public var failedFilm: String?
  /// Seconds of the last file up to the end of what its output has stored, whether or not that is kept; `nil` if
  /// nothing has cut it off, or if nobody knows.
  public var storedSeconds: Double?
  /// The chapters, known when the film began, at or after which it has no frame: it lacks them.
  public var unreachedChapters: [ClipChapter] = []

  /// Frames, and samples of each audio channel, that were written to a film of which nothing is kept.
  public private(set) var discardedFrames = 0
  public private(set) var discardedSamples: Int64 = 0

  /// Nothing of what was written is kept.
  public mutating func dropFilm() {
    movie = nil
    (discardedFrames, discardedSamples) = (counts.written, sound?.frames ?? 0)
    (counts.written, repeated) = (0, 0)
    sound?.frames = 0
  }
}

/// A bake that ended before its clip did, but whose film is kept.
public struct PartialBake: Hashable, Sendable {
  /// Frames that the complete film would have; `nil` if the clip does not say.
  public let total: Int?

  public init(total: Int?) { self.total = total }
}

/// The account of the sound.
public struct SoundSummary: Hashable, Sendable {
  /// Audio frames in the film.
  public var frames: Int64
  /// How often the microphone lost sound.
  public var overruns: Int
  /// Audio frames lost by the microphone, or to the disk.
  public var lostFrames: Int64
  /// Those among them that the output took and did not store.
  public var refusedFrames: Int64 = 0
  /// Audio frames of silence in place of lost sound.
  public var silentFrames: Int64
  /// The stretch that keeps the sound in step with the picture's clock, in parts per million.
  public var stretch: Double

  public init(
    frames: Int64, overruns: Int, lostFrames: Int64, refusedFrames: Int64 = 0, silentFrames: Int64, stretch: Double
  ) {
    (self.frames, self.overruns, self.lostFrames) = (frames, overruns, lostFrames)
    (self.refusedFrames, self.silentFrames, self.stretch) = (refusedFrames, silentFrames, stretch)
  }
}
