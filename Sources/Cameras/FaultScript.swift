import Frames

/// The faults of a simulated camera and microphone, and when they happen: read from a text file, one fault a line.
///
///     # frames count from 0, seconds from the start of the first frame
///     drop 48 3           frames 48, 49 and 50 never come (a gap in the sequence numbers)
///     damage 60           frame 60 arrives marked as damaged; a second number says how many in a row
///     stall 100 2.5s      nothing comes for 2.5 s before a frame; the frames due from 100 on are missing
///     light 120 0.25      from frame 120 on, the light is a quarter of the scene's original light
///     hang 100            nothing comes from frame 100 on, until the stream is restarted
///     hang 100 deaf       nothing comes from frame 100 on, until the camera is opened again
///     change 200          instead of frame 200, the source changes its format
///     vanish 200 2s       instead of frame 200, the camera is unplugged and cannot be opened for 2 s; without a time
///                         it does not come back
///     fail 200            instead of frame 200, the camera fails with an error
///     end 200             frame 199 is the last one; the camera ends normally
///     xrun 3.5s 20ms      the microphone loses the 20 ms of sound from 3.5 s on
///     unplug 3.5s 2s      the microphone is unplugged at 3.5 s and can be opened again 2 s later; without a second
///                         time it does not come back
///
/// Frames and seconds restart at 0 when a camera is opened again.
/// The rest of a line after `#` is a comment. The order of the lines does not matter.
public struct FaultScript: Hashable, Sendable {
  /// Frames first ..< first + count.
  struct FrameSpan: Hashable, Sendable {
    var first: UInt64
    var count: UInt64
    func contains(_ frame: UInt64) -> Bool { frame >= first && frame - first < count }
  }

  struct Stall: Hashable, Sendable {
    var frame: UInt64
    var seconds: Double
  }

  struct LightChange: Hashable, Sendable {
    var frame: UInt64
    /// Relative to the scene's original light.
    var factor: Double
  }

  struct Overrun: Hashable, Sendable {
    /// Seconds from the start of the first frame.
    var start: Double
    var seconds: Double
  }

  /// No frames come from `frame` on.
  struct Hang: Hashable, Sendable {
    var frame: UInt64
    /// Restarting the stream does not help.
    var isDeaf: Bool
  }

  struct Unplugging: Hashable, Sendable {
    /// Seconds from the start of the first frame.
    var start: Double
    /// Until it can be opened again; `nil` for never.
    var seconds: Double?
  }

  /// How the stream of frames ends.
  enum Ending: String, Hashable, Sendable {
    case change, vanish, fail, end
  }

  struct End: Hashable, Sendable {
    var frame: UInt64
    var ending: Ending
    /// Until the camera can be opened again; `nil` for never.
    var seconds: Double?
  }

  var drops: [FrameSpan] = []
  var damages: [FrameSpan] = []
  var stalls: [Stall] = []
  var lights: [LightChange] = []
  var overruns: [Overrun] = []
  var hang: Hang?
  var unplugging: Unplugging?
  var end: End?

  /// Nothing goes wrong.
  public static let none = FaultScript()

  init() {}

  /// Whether `frame` never comes at `frameRate`.
  func isMissing(_ frame: UInt64, frameRate: FrameRate) -> Bool {
    for drop in drops where drop.contains(frame) { return true }
    for stall in stalls where span(stall, frameRate).contains(frame) { return true }
    return false
  }

  func isDamaged(_ frame: UInt64) -> Bool {
    for damage in damages where damage.contains(frame) { return true }
    return false
  }

  /// The light on `frame`, relative to the scene's original light.
  func light(at frame: UInt64) -> Double {
    var latest: LightChange?
    for light in lights where light.frame <= frame && light.frame >= latest?.frame ?? 0 { latest = light }
    return latest?.factor ?? 1
  }

  /// The frames that are missing because of `stall`.
  private func span(_ stall: Stall, _ frameRate: FrameRate) -> FrameSpan {
    FrameSpan(first: stall.frame, count: UInt64((stall.seconds * frameRate.framesPerSecond).rounded(.up)))
  }
}
