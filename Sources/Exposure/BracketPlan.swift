/// The sets of an exposure-bracketed series from one shutter speed to another.
///
/// The series begins at the faster speed, which holds the highlights, and goes towards the slower one, which opens the
/// shadows. Each frame of a set is slower than the one before by the spacing's step, limited to the end of the table.
/// Each further set begins with the last speed of the set before, until a set reaches the slower speed or the end of
/// the table: the fewest sets that cover the range.
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
    var sets: [BracketSet] = [], reached = highlight
    while reached < shadow {
      let next = set(from: reached, frames: frames, spacing: spacing)
      sets.append(next)
      reached = next.speeds[next.speeds.count - 1]
    }
    return sets
  }

  private static func set(from fastest: ShutterSpeed, frames: BracketFrames, spacing: BracketSpacing) -> BracketSet {
    var speeds = [fastest]
    while speeds.count < frames.rawValue { speeds.append(speeds[speeds.count - 1].moved(by: spacing.step)) }
    return BracketSet(speeds: speeds)
  }
}
