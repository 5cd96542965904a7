public import Foundation
public import Frames
public import Movies
public import RecorderAPI
public import Sidecar

/// When a recording continues in the next file.
public enum SegmentLength: Hashable, Sendable {
  /// After so much film, counted from the recording's first frame: greater than 0.
  case seconds(Rational)
  /// At multiples of so many seconds since midnight; must divide a day's 86400.
  case clock(seconds: Int)
}

/// How a recording is divided into files that follow one another without a gap.
///
/// A new file begins with a frame. Every frame and every sample is in exactly one file: the sound is cut at the sample
/// nearest to the new file's first frame (a half goes to the later one).
public struct SegmentPlan: Sendable {
  public var length: SegmentLength?
  /// Bytes that no file may exceed.
  public var mostBytes: Int64?
  /// Files that may wait for the end of their sound or be finished beside the one being recorded. At this number, the
  /// present file continues until one of them is done.
  public var mostFinishing: Int
  /// The wall clock's seconds since midnight at an instant of the camera's clock. Any thread.
  public var timeOfDay: @Sendable (_ time: MonotonicTime) -> Double
  /// Prepares the next file with its encoder. Called on a separate thread, one at a time.
  public var prepare: @Sendable () throws(CamrecError) -> any PreparedSegment

  public init(
    length: SegmentLength?, mostBytes: Int64?, mostFinishing: Int,
    timeOfDay: @escaping @Sendable (_ time: MonotonicTime) -> Double,
    prepare: @escaping @Sendable () throws(CamrecError) -> any PreparedSegment
  ) {
    self.length = length
    self.mostBytes = mostBytes
    self.mostFinishing = mostFinishing
    self.timeOfDay = timeOfDay
    self.prepare = prepare
  }
}

/// A file that exists but is still empty. Thread: one at a time.
public protocol PreparedSegment: AnyObject, Sendable {
  var path: String { get }

  /// The settings that it was made with.
  var effort: EffortControl.Take { get }

  /// Called on the write thread, which must not wait here.
  ///
  /// - Throws: the errors of opening films; the file is gone then.
  func begin(_ start: SegmentStart) throws(CamrecError) -> any MovieSink

  /// Called after `begin`, on the same thread; `nil` if the film has no sidecar.
  func openSidecar(_ start: SegmentStart) throws(CamrecError) -> SidecarWriter?

  /// Removes the file again; called instead of `begin`.
  func discard()
}

extension PreparedSegment {
  public var effort: EffortControl.Take { .asked }
}

/// Where in its recording a file begins.
public struct SegmentStart: Hashable, Sendable {
  /// When the recording's first frame was taken.
  public var origin: MonotonicTime
  /// The place of the file's first frame, counted from 0 in frames due.
  public var frame: Int64
  /// The time of that frame in the recording.
  public var seconds: Rational
  /// The recording, and the file as a film of it.
  public var identity: RecordingIdentity
  /// The number that the file's first frame was baked with. In a recording with a pre-roll, it counts from the first
  /// frame of standby.
  public var bakedFrame: Int64

  public init(
    origin: MonotonicTime, frame: Int64, seconds: Rational, identity: RecordingIdentity, bakedFrame: Int64
  ) {
    self.origin = origin
    self.frame = frame
    self.seconds = seconds
    self.identity = identity
    self.bakedFrame = bakedFrame
  }
}

/// A finished file.
public struct FinishedSegment: Hashable, Sendable {
  /// Counted from 1 in its recording.
  public var number: Int
  public var identity: RecordingIdentity
  public var path: String
  public var bytes: Int64
  /// Frames in it.
  public var frames: Int64
  public var counts: FrameLedger.Counts
  /// The place of its first frame in the recording, in frames due.
  public var firstFrame: Int64
  /// When it begins in the recording, in seconds.
  public var start: Double
  /// Its length in seconds.
  public var duration: Double
  /// The first frame's timecode.
  public var timecode: Timecode?
  /// Its disk refused something: frames are missing at its end, or it stays in fragments.
  public var isCutOff: Bool
  /// When its first frame was captured, if that is known.
  public var date: Date?

  public init(
    number: Int, identity: RecordingIdentity, path: String, bytes: Int64, frames: Int64, counts: FrameLedger.Counts,
    firstFrame: Int64, start: Double, duration: Double, timecode: Timecode?, isCutOff: Bool, date: Date? = nil
  ) {
    (self.number, self.identity, self.path, self.bytes, self.frames) = (number, identity, path, bytes, frames)
    (self.counts, self.firstFrame, self.start, self.duration) = (counts, firstFrame, start, duration)
    (self.timecode, self.isCutOff, self.date) = (timecode, isCutOff, date)
  }
}

/// Follows the files of a recording. Called on the threads that write and finish them, which wait for it: `began` must
/// return at once.
public protocol SegmentObserver: AnyObject, Sendable {
  /// The file is being written.
  func began(_ path: String, _ identity: RecordingIdentity)
  /// The file has a new name, or a copy has taken its place. It is still the same film.
  func renamed(from old: String, to path: String)
  /// The file is complete and on the medium, or cut off.
  func finished(_ segment: FinishedSegment)
  /// The file is no longer written, and nobody can say what was kept of it, if anything.
  func abandoned(_ path: String)
}
