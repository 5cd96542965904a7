public import Frames
public import Movies

/// A recording that stands by with its camera running: what comes is encoded and kept for a while, and the film begins
/// with what is kept when it is told to.
public struct StandingPlan: Sendable {
  /// Film in front of the command, in seconds: at least so much of it is in the film, as far as it is there.
  public var seconds: Rational
  public var roll: any PreRoll
  /// Names and creates the film's first file. Called on the thread of who begins the film.
  ///
  /// - Throws: as the opening of films does; the recording goes on standing by.
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
  /// The first frame's place, counted in frames that were due, and its time in ticks.
  var frame: Int64 = 0
  var ticks: Int64 = 0
  /// The first sample of each channel.
  var sample: Int64 = 0
  /// When that frame was taken.
  var time: MonotonicTime
}
