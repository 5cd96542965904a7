public import Frames
public import Movies

/// Is told how a session goes. Called on the thread that runs the session, never on a thread of the frame path.
public protocol SessionObserver: AnyObject {
  /// The first frame has arrived.
  func started(at time: MonotonicTime)
  /// The file that is written from now on, or its new name.
  func writes(_ path: String)
  func progressed(_ progress: SessionProgress)
  func warned(_ sentence: String)
  /// Something was said that has fields; a warning or not.
  func remarked(_ remark: SessionRemark)
  /// The recorder does with less, or with more again; also where a step was asked for that is not there.
  func eased(_ change: EffortChange)
  /// A file of a recording that is divided into files is whole.
  func segmented(_ segment: FinishedSegment)
}

extension SessionObserver {
  /// For who needs no name.
  public func writes(_ path: String) {}
  /// For who has no fields.
  public func remarked(_ remark: SessionRemark) { if remark.isWarning { warned(remark.sentence) } }
  /// For who has no fields for it.
  public func eased(_ change: EffortChange) { warned(change.sentence) }
  public func segmented(_ segment: FinishedSegment) {}
}

/// How far a recording is.
public struct SessionProgress: Hashable, Sendable {
  /// Movie time of the last frame that was captured, in seconds.
  public var seconds: Double
  public var counts: FrameLedger.Counts
  /// Frames written per second since the last reading.
  public var framesPerSecond: Double
  public var bytes: Int64
  /// The largest sample since the last reading, 0…1; `nil` without sound.
  public var peak: Double?
}

/// How a recording ended.
public struct SessionSummary: Sendable {
  public var counts: FrameLedger.Counts
  /// `nil` when nothing was recorded. Of several files: the last one's path, bytes and frames of all.
  public var movie: MovieReport?
  /// Files that were finished.
  public var segments: Int
  public var sound: SoundSummary?
  /// Why sound ended before the picture did: what came after is lost.
  public var soundFailure: CamrecError?
  /// Why it ended before it was asked to; its code decides the exit code.
  public var failure: CamrecError?
  /// Films that were deleted while they were recorded and of which there is a copy.
  public var rescued = 0
  /// Those of which there is none: they last as long as these are kept.
  public var held: [HeldFilm] = []
  /// Files beside films that did not answer: threads that wait for them were left behind.
  public var stalled: [StalledFile] = []
  /// The camera's measured rate against its nominal one in parts per million, where it could be told.
  public var ratePartsPerMillion: Double?
  public var isVariableRate: Bool
  /// Frames that were due between the film that this one continues and this one; `nil` where it continues none.
  public var framesBetween: Int?
  /// Of film, in seconds: from the first frame to the last one's end.
  public var seconds = 0.0
  /// Frames that the film has again, in its gaps.
  public var repeated = 0
  /// `nil`: the film is whole, or none.
  public var partial: PartialBake?
  /// What there is to say beside the account.
  public var remarks: [SessionRemark] = []
}

/// A bake that ended before its clip, and whose film is kept.
public struct PartialBake: Hashable, Sendable {
  /// Frames that a whole film would have; `nil` where the clip does not say.
  public let total: Int?

  public init(total: Int?) { self.total = total }
}

/// What became of the sound.
public struct SoundSummary: Hashable, Sendable {
  /// Audio frames in the movie.
  public var frames: Int64
  /// Times that the microphone lost sound, and how much.
  public var overruns: Int
  public var lostFrames: Int64
  /// Audio frames of silence that stand for lost sound.
  public var silentFrames: Int64
  /// The stretch that holds it to the picture's clock, in parts per million.
  public var stretch: Double
}
