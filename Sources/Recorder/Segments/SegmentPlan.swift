public import Frames
public import Movies
public import Sidecar

/// Where a recording goes on in the next file.
public enum SegmentLength: Hashable, Sendable {
  /// After so much film, counted from the recording's first frame: greater than 0.
  case seconds(Rational)
  /// At the multiples of so many seconds since midnight; a divisor of a day's 86400.
  case clock(seconds: Int)
}

/// How a recording is divided into files that follow one another without a gap.
///
/// A new file begins with a frame. Every frame is in exactly one file, and every sample: sound is cut where the new
/// file's first frame stands, at the sample nearest to it (a half goes to the later one).
public struct SegmentPlan: Sendable {
  public var length: SegmentLength?
  /// Bytes that no file may exceed.
  public var mostBytes: Int64?
  /// Files that may wait for the end of their sound or be finished beside the one that is being recorded. Where there
  /// are as many, the file goes on until one is done.
  public var mostFinishing: Int
  /// The wall clock's seconds since midnight at an instant of the camera's clock. Any thread.
  public var timeOfDay: @Sendable (_ time: MonotonicTime) -> Double
  /// Makes the next file ready, encoder and all. Called on a thread of its own, one at a time.
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

/// A file that is there and has nothing in it yet. Thread: one at a time.
public protocol PreparedSegment: AnyObject, Sendable {
  var path: String { get }

  /// What it was made with.
  var effort: EffortControl.Take { get }

  /// Called on the write thread, which does not wait for anything here.
  ///
  /// - Throws: as the opening of films does; the file is gone then.
  func begin(_ start: SegmentStart) throws(CamrecError) -> any MovieSink

  /// Called behind `begin`, on the same thread; `nil`: the film has none.
  func openSidecar(_ start: SegmentStart) throws(CamrecError) -> SidecarWriter?

  /// Removes the file again, in place of `begin`.
  func discard()
}

extension PreparedSegment {
  public var effort: EffortControl.Take { .asked }
}

/// Where in its recording a file begins.
public struct SegmentStart: Hashable, Sendable {
  /// When the recording's first frame was taken.
  public var origin: MonotonicTime
  /// The first frame's place, counted from 0 in frames that were due, and its time in seconds.
  public var frame: Int64
  public var seconds: Rational

  public init(origin: MonotonicTime, frame: Int64, seconds: Rational) {
    self.origin = origin
    self.frame = frame
    self.seconds = seconds
  }
}

/// A file that nobody writes any more.
public struct FinishedSegment: Hashable, Sendable {
  /// Counted from 1 in its recording.
  public var number: Int
  public var path: String
  public var bytes: Int64
  /// Frames in it, and its account.
  public var frames: Int64
  public var counts: FrameLedger.Counts
  /// Its first frame's place in the recording, in frames that were due, and its time and length in seconds.
  public var firstFrame: Int64
  public var start: Double
  public var duration: Double
  /// The first frame's label.
  public var timecode: Timecode?
}

/// Looks after the files of a recording. Called on the threads that write and finish them, which wait for it: `began`
/// returns at once.
public protocol SegmentObserver: AnyObject, Sendable {
  /// The file is being written.
  func began(_ path: String)
  /// The file has another name now, or a copy stands for it. What has begun is the same film.
  func renamed(from old: String, to path: String)
  /// The file is whole and on the medium.
  func finished(_ segment: FinishedSegment)
  /// The file is written no more, and nothing of it was kept.
  func abandoned(_ path: String)
}
