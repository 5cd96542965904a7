/// A frame that two clips have at different places in their order.
public struct FrameMove: Hashable, Sendable {
  /// Its position in each clip.
  public let first: Int
  public let second: Int

  public init(first: Int, second: Int) {
    self.first = first
    self.second = second
  }

  /// Finds the frames that seem to be missing from one clip and added in the other, and are the same ones.
  ///
  /// - Parameters: the positions of those frames, rising, and what identifies each. Of several with one identity, the
  ///   earliest belong together.
  /// - Returns: by their positions in the first clip, rising.
  public static func find<Key: Hashable>(
    first: [(place: Int, key: Key)], second: [(place: Int, key: Key)]
  ) -> [FrameMove] {
    // The last one is the earliest.
    var places: [Key: [Int]] = [:]
    for frame in second.reversed() { places[frame.key, default: []].append(frame.place) }
    return first.compactMap { frame in
      places[frame.key]?.popLast().map { FrameMove(first: frame.place, second: $0) }
    }
  }
}
