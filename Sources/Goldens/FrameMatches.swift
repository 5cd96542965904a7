/// Which frames of two clips belong together, by their positions from 0.
public struct FrameMatches: Hashable, Sendable {
  /// The frames in both clips, rising in the first. No frame is in two of them.
  public let matches: [FrameMatch]
  /// Those in another order: all but the longest sequence that both clips have in the same order. Of two frames that
  /// have changed places, it is one.
  public let reordered: [FrameMatch]
  /// Frames of the first clip that the second lacks.
  public let missing: [Int]
  /// Frames of the second clip that the first lacks.
  public let added: [Int]
  /// Frames that the first clip has more often than the second.
  public let doubledInFirst: [Int]
  /// Frames that the second clip has more often than the first.
  public let doubled: [Int]

  /// - Parameters:
  ///   - matches: in any order.
  ///   - counts: the numbers of frames.
  ///   - doubledInFirst: the frames without a match that are repetitions, in the first clip and in the second.
  init(_ matches: [FrameMatch], counts: (first: Int, second: Int), doubledInFirst: Set<Int>, doubled: Set<Int>) {
    let sorted = matches.sorted { $0.first < $1.first }
    let order = Set(FrameMatch.rising(sorted))
    let matched = (first: Set(sorted.map(\.first)), second: Set(sorted.map(\.second)))
    let left = (
      first: (0..<counts.first).filter { !matched.first.contains($0) },
      second: (0..<counts.second).filter { !matched.second.contains($0) }
    )
    self.matches = sorted
    reordered = sorted.filter { !order.contains($0) }
    missing = left.first.filter { !doubledInFirst.contains($0) }
    self.doubledInFirst = left.first.filter { doubledInFirst.contains($0) }
    added = left.second.filter { !doubled.contains($0) }
    self.doubled = left.second.filter { doubled.contains($0) }
  }

  /// Matches frames with equal keys: first those that occur once in each clip and in the same order, then their
  /// neighbours, then the others wherever they are. A frame without a match is a repetition if the other clip has its
  /// key. O(n log n).
  public init<Key: Hashable>(first: [Key], second: [Key]) {
    var found: [FrameMatch] = []
    var last = (golden: -1, film: -1)
    for anchor in FrameAnchors.find(golden: first, film: second) + [(golden: first.count, film: second.count)] {
      var start = (golden: last.golden + 1, film: last.film + 1)
      while start.golden < anchor.golden, start.film < anchor.film, first[start.golden] == second[start.film] {
        found.append(FrameMatch(first: start.golden, second: start.film))
        start = (start.golden + 1, start.film + 1)
      }
      var end = anchor
      while end.golden > start.golden, end.film > start.film, first[end.golden - 1] == second[end.film - 1] {
        end = (end.golden - 1, end.film - 1)
        found.append(FrameMatch(first: end.golden, second: end.film))
      }
      if anchor.golden < first.count { found.append(FrameMatch(first: anchor.golden, second: anchor.film)) }
      last = anchor
    }
    let matched = (first: Set(found.map(\.first)), second: Set(found.map(\.second)))
    found += FrameMatch.find(
      first: first.indices.filter { !matched.first.contains($0) }.map { (place: $0, key: first[$0]) },
      second: second.indices.filter { !matched.second.contains($0) }.map { (place: $0, key: second[$0]) })
    let known = (first: Set(first), second: Set(second))
    self.init(
      found, counts: (first.count, second.count),
      doubledInFirst: Set(first.indices.filter { known.second.contains(first[$0]) }),
      doubled: Set(second.indices.filter { known.first.contains(second[$0]) }))
  }
}
