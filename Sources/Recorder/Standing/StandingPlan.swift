public import Frames
public import Movies

/// A recording in standby with its camera running: frames are encoded and kept for a while, and on command the film
/// begins with the kept frames.
public struct StandingPlan: Sendable {
  /// Seconds before the command that the film must include, as far as they were kept.
  public var seconds: Rational
  public var roll: any PreRoll
  /// Names and creates the film's first file. Called on the thread that begins the film.
  ///
  /// - Throws: the errors of opening films; the recording then stays in standby.
  public var prepare: @Sendable () throws(CamrecError) -> any PreparedSegment

  public init(
    seconds: Rational, roll: any PreRoll, prepare: @escaping @Sendable () throws(CamrecError) -> any PreparedSegment
  ) {
    self.seconds = seconds
    self.roll = roll
    self.prepare = prepare
  }
}

/// Where a film begins in its recording, whose camera may have run for days.
struct FilmStart: Hashable, Sendable {
  /// The first frame's place, counted in frames due.
  var frame: Int64 = 0
  /// The first frame's time in ticks.
  var ticks: Int64 = 0
  /// The first sample of each channel.
  var sample: Int64 = 0
  /// When that frame was taken.
  var time: MonotonicTime
}
