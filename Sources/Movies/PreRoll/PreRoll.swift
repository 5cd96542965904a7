public import Audio
public import Frames

/// Pictures and sound that are encoded and kept in memory, the latest of them, until a film is made that begins with
/// them.
///
/// Times and samples count from the first picture that it was given, for as long as it lasts. Memory is reserved at
/// once and never grows: groups of pictures are forgotten as a whole, the oldest first. Thread: one at a time; `status`
/// from any.
public protocol PreRoll: AnyObject, Sendable {
  /// Encodes and keeps `frame`, at a time (ticks of `MovieSettings.timeBase`) greater than every one before.
  ///
  /// - Throws: code `defect` where the encoder fails: nothing more can be kept.
  func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError)

  /// Keeps sound whose first sample of each channel is `sample`; it follows what came before without a gap.
  func write(_ sound: borrowing AudioBuffer, at sample: Int64) throws(CamrecError)

  /// The time of the first picture that is there: a film can begin with it. `nil` before the first.
  var begin: Int64? { get }

  /// Whether nothing is forgotten because of its age; memory stays the bound.
  func keepAll(_ keeps: Bool)

  /// With which picture a film begins that has everything from `time` on: the last one that it can begin with by then,
  /// or the first that is there.
  func start(for time: Int64) -> Int64?

  /// A film is made that begins with the picture at `time`, one that `start` has named, and with `sample`: forgets what
  /// lies in front of them. Whoever opens the film takes over what is kept.
  func begins(at time: Int64, sample: Int64)

  /// How much is kept. Any thread.
  var status: PreRollStatus { get }
}

/// How much of a film that may begin is in memory.
public struct PreRollStatus: Hashable, Sendable, Codable {
  /// From the first picture that is there to the newest.
  public var seconds: Double
  public var bytes: Int
  /// What is kept at most.
  public var capacityBytes: Int
  /// Pictures that were encoded since the camera runs, also those that are forgotten by now.
  public var frames: Int

  public init(seconds: Double = 0, bytes: Int = 0, capacityBytes: Int = 0, frames: Int = 0) {
    self.seconds = seconds
    self.bytes = bytes
    self.capacityBytes = capacityBytes
    self.frames = frames
  }
}
