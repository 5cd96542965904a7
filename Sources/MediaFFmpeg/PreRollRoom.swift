import Frames
public import Movies

/// The memory of a pre-roll: reserved at the start and touched as it fills; it never grows.
public struct PreRollRoom: Hashable, Sendable {
  public let pictureBytes: Int
  public let soundBytes: Int
  /// Seconds of film that it holds at the rate expected; fewer than requested if those would need too much.
  public let seconds: Double

  /// The most memory; the rest is left to others on the machine.
  static let mostBytes = 1 << 30
  /// For a while, a camera's frames may be a few times as large as expected.
  private static let leastBytes = 1 << 22
  /// A group of pictures lasts a second: one begins before the requested span, one is on its way.
  private static let groups = 2.0
  /// Audio waits for frames in the encoder and in the queues in front of it.
  private static let soundAhead = 4.0

  /// - Parameters:
  ///   - seconds: film to keep.
  ///   - heldFrames: frames in the encoder.
  public init(_ settings: MovieSettings, seconds: Double, heldFrames: Int) {
    let rate = DiskRoom.pictureBytesPerSecond(settings)
    let held = Double(heldFrames) / settings.frameRate.framesPerSecond
    let wanted = max(Int(rate * (seconds + PreRollRoom.groups + held)), PreRollRoom.leastBytes)
    let soundRate = DiskRoom.soundBytesPerSecond(settings)
    let sound = Int(soundRate * (seconds + PreRollRoom.groups + held + PreRollRoom.soundAhead))
    soundBytes = min(sound, PreRollRoom.mostBytes / 2)
    pictureBytes = min(wanted, PreRollRoom.mostBytes - soundBytes)
    guard pictureBytes < wanted || soundBytes < sound else {
      self.seconds = seconds
      return
    }
    let heard = soundRate > 0 ? Double(soundBytes) / soundRate - PreRollRoom.soundAhead : .infinity
    self.seconds = min(seconds, max(0, min(Double(pictureBytes) / rate, heard) - PreRollRoom.groups - held))
  }

  public var bytes: Int { pictureBytes + soundBytes }

  /// A longer pre-roll has no more memory.
  var isMost: Bool { bytes >= PreRollRoom.mostBytes }
}
