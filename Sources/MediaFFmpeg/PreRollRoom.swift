import Frames
public import Movies

/// The memory of a pre-roll: reserved at the start, touched as it fills, and never more.
public struct PreRollRoom: Hashable, Sendable {
  public let pictureBytes: Int
  public let soundBytes: Int
  /// Film that it holds at the rate that is expected at most; less than what was asked for where that would be too
  /// much.
  public let seconds: Double

  /// More than that is left to the pictures of others on the machine.
  static let mostBytes = 1 << 30
  /// A camera's pictures may be a few times as large as is expected, for a while.
  private static let leastBytes = 1 << 22
  /// A group of pictures lasts a second: one begins before what was asked for, one is on its way.
  private static let groups = 2.0
  /// Sound waits for pictures that are in the encoder, and in the queues in front of it.
  private static let soundAhead = 4.0

  /// - Parameters:
  ///   - seconds: film that is to be kept.
  ///   - heldFrames: in the encoder.
  public init(_ settings: MovieSettings, seconds: Double, heldFrames: Int) {
    let rate = DiskRoom.pictureBytesPerSecond(settings)
    let held = Double(heldFrames) / settings.frameRate.framesPerSecond
    let wanted = max(Int(rate * (seconds + PreRollRoom.groups + held)), PreRollRoom.leastBytes)
    pictureBytes = min(wanted, PreRollRoom.mostBytes)
    soundBytes = Int(
      DiskRoom.soundBytesPerSecond(settings) * (seconds + PreRollRoom.groups + held + PreRollRoom.soundAhead))
    self.seconds = min(seconds, max(0, Double(pictureBytes) / rate - PreRollRoom.groups - held))
  }

  public var bytes: Int { pictureBytes + soundBytes }
}
