/// A frame that two clips have, by its position in each.
public struct FrameMatch: Hashable, Sendable {
  public let first: Int
  public let second: Int

  public init(first: Int, second: Int) {
    self.first = first
    self.second = second
  }

  /// The longest sequence that rises in both clips (O(n log n)).
  ///
  /// - Parameter matches: rising in the first clip.
  static func rising(_ matches: [FrameMatch]) -> [FrameMatch] {
    FrameAnchors.rising(matches.map { (golden: $0.first, film: $0.second) }).map {
      FrameMatch(first: $0.golden, second: $0.film)
    }
  }

  /// Matches frames by what identifies them, wherever they are.
  ///
  /// - Parameters: the positions of the frames, rising, and what identifies each. Of several with one identity, the
  ///   earliest belong together.
  /// - Returns: by their positions in the first clip, rising.
  static func find<Key: Hashable>(
    first: [(place: Int, key: Key)], second: [(place: Int, key: Key)]
  ) -> [FrameMatch] {
    // The last one is the earliest.
    var places: [Key: [Int]] = [:]
    for frame in second.reversed() { places[frame.key, default: []].append(frame.place) }
    return first.compactMap { frame in
      places[frame.key]?.popLast().map { FrameMatch(first: frame.place, second: $0) }
    }
  }
}
