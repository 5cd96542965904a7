package import Frames

/// Counts the frames that a clip of a constant rate lacks between those that it has, by their times.
///
/// The first frame whose time is not on the rate's grid, to within a tick, shows that the rate is variable: then nobody
/// knows what is missing.
package struct ClipGaps {
  /// Frames missing.
  package var frames: Int { isConstant ? missing : 0 }
  /// Places where some are missing.
  package var count: Int { isConstant ? places : 0 }
  /// Where the first one would show, in seconds from the clip's first frame.
  package private(set) var first = 0.0

  private let framesPerTick: Double
  private let framesPerSecond: Double
  private var isConstant: Bool
  private var missing = 0
  private var places = 0
  /// The first frame's time in ticks, and the last one's place.
  private var start: Int64?
  private var last = 0.0
  /// Damaged frames since the last one.
  private var damaged = 0

  /// - Parameter timeBase: ticks, in seconds.
  package init(frameRate: FrameRate, timeBase: Rational) {
    framesPerSecond = frameRate.framesPerSecond
    framesPerTick = framesPerSecond * timeBase.doubleValue
    // Otherwise nothing tells the places apart.
    isConstant = framesPerTick < 0.5
  }

  /// A frame that can be decoded, in the order of times.
  package mutating func read(_ ticks: Int64) {
    defer { damaged = 0 }
    guard isConstant else { return }
    guard let start else { return start = ticks }
    let place = Double(ticks.subtractingSaturated(start)) * framesPerTick, whole = place.rounded()
    guard abs(place - whole) <= framesPerTick + 1e-6, whole > last else { return isConstant = false }
    let absent = Int(saturating: whole - last) - 1 - damaged
    if absent > 0 {
      if places == 0 { first = (last + 1) / framesPerSecond }
      (missing, places) = (missing.addingSaturated(absent), places + 1)
    }
    last = whole
  }

  /// A frame that cannot be decoded: it is there.
  package mutating func damage() { damaged += 1 }
}
