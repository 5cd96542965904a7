public import Audio
public import Frames
public import RecorderAPI

/// Keeps the latest frames and audio, encoded, in memory, until a film is made that begins with them.
///
/// Times and samples count from the first frame that it was given, for as long as it lasts. Memory is reserved up front
/// and never grows: whole groups of pictures are forgotten, the oldest first. Thread: one at a time; `status` from any.
public protocol PreRoll: AnyObject, Sendable {
  /// Encodes and keeps `frame`, at a time (ticks of `MovieSettings.timeBase`) later than all before.
  ///
  /// - Throws: code `defect` if the encoder fails; nothing more can be kept then.
  func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError)

  /// Keeps audio whose first sample in each channel is number `sample`; it follows the audio before it without a gap.
  func write(_ sound: borrowing AudioBuffer, at sample: Int64) throws(CamrecError)

  /// The time of the oldest frame kept, with which a film can begin. `nil` before the first.
  var begin: Int64? { get }

  /// With `true`, nothing is forgotten because of its age; memory stays the limit.
  func keepAll(_ keeps: Bool)

  /// The frame with which a film begins that has everything from `time` on: the last frame up to then that it can begin
  /// with, or else the oldest frame kept.
  func start(for time: Int64) -> Int64?

  /// Call this for a film that begins with the frame at `time`, which `start` has given, and with `sample`: forgets
  /// what comes before them. Whoever opens the film takes over what is kept.
  func begins(at time: Int64, sample: Int64)

  /// How much is kept. Any thread.
  var status: PreRollStatus { get }

  /// What was kept when the memory was too small for what was asked for; `nil`: it suffices. Any thread.
  var shortfall: PreRollShortfall? { get }
}

extension PreRoll {
  public var shortfall: PreRollShortfall? { nil }
}
