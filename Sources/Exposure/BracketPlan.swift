/// The sets of an exposure-bracketed series from one shutter speed to another.
///
/// The series begins at the faster speed, which holds the highlights, and goes towards the slower one, which opens the
/// shadows. Each frame of a set is slower than the one before by the spacing, rounded to the next slower entry of the
/// table and limited to its end. One set is enough if its frames, spaced without rounding, cover the range. Otherwise
/// each further set begins where the one before ended, until a set ends beyond the slower speed or at the end of the
/// table.
public struct BracketPlan: Hashable, Sendable {
  /// The faster of the two speeds.
  public let highlight: ShutterSpeed
  /// The slower of the two speeds.
  public let shadow: ShutterSpeed
  public let frames: BracketFrames
  public let spacing: BracketSpacing
  /// Empty if both speeds are the same.
  public let sets: [BracketSet]

  /// - Parameters:
  ///   - one, other: the speeds for highlights and shadows, in either order.
  public init(
    from one: ShutterSpeed, to other: ShutterSpeed, frames: BracketFrames, spacing: BracketSpacing
  ) {
    highlight = min(one, other)
    shadow = max(one, other)
    self.frames = frames
    self.spacing = spacing
    sets = BracketPlan.sets(from: highlight, to: shadow, frames: frames, spacing: spacing)
  }

  public var range: ThirdStops { highlight.distance(to: shadow) }

  /// The number of frames in all sets; 1 if nothing is bracketed.
  public var exposures: Int { sets.isEmpty ? 1 : sets.count * frames.rawValue }

  private static func sets(
    from highlight: ShutterSpeed, to shadow: ShutterSpeed, frames: BracketFrames, spacing: BracketSpacing
  ) -> [BracketSet] {
    let range = highlight.distance(to: shadow)
    guard range > ThirdStops(0) else { return [] }
    var sets = [set(from: highlight, frames: frames, spacing: spacing)]
    // In sixths of an EV, so that both are whole numbers.
    let coverage = (frames.rawValue - 1) * spacing.rawValue * 3
    if coverage >= range.count * 2 { return sets }
    while let last = sets.last?.speeds.last, last <= shadow, last < .last {
      sets.append(set(from: last, frames: frames, spacing: spacing))
    }
    return sets
  }

  private static func set(from fastest: ShutterSpeed, frames: BracketFrames, spacing: BracketSpacing) -> BracketSet {
    var speeds = [fastest]
    while speeds.count < frames.rawValue { speeds.append(speeds[speeds.count - 1].moved(by: spacing.step)) }
    return BracketSet(speeds: speeds)
  }
}
