/// Pairs the frames of two clips by what they show, whatever their times: first frames whose samples are equal, and
/// between those the sequence of pairs that differs least (Needleman and Wunsch, 1970).
///
/// A frame that is unlike all others stays between its neighbours' matches: it is changed, not missing. In a still
/// scene, the times decide.
public struct PictureAlignment: Sendable {
  /// A frame of a clip.
  public struct Picture: Sendable {
    public let signature: PictureSignature
    /// Its time in frames, on a time line shared with the other clip.
    public let time: Int64

    public init(_ signature: PictureSignature, time: Int64) {
      self.signature = signature
      self.time = time
    }
  }

  /// Of frames with equal samples, those that have no pair in the same order may have one elsewhere.
  public let matches: FrameMatches

  /// How similar the clips are, 0 to 1 (`ClipLikeness`); `nil` if nothing tells.
  public let likeness: Double?

  /// O(n) for equal clips; at most O(n · 4096) between two matches.
  public init(first: [Picture], second: [Picture]) {
    let costs = AlignmentCosts(first)
    var pairs: [(Int, Int)] = []
    var last = (-1, -1)
    let anchors = FrameAnchors.find(golden: first.map(\.signature.digest), film: second.map(\.signature.digest))
    for (golden, film) in anchors + [(first.count, second.count)] {
      let gap = AlignmentGap(first: last.0 + 1..<golden, second: last.1 + 1..<film)
      pairs += gap.pairs(first, second, costs)
      if golden < first.count { pairs.append((golden, film)) }
      last = (golden, film)
    }
    var found = PictureAlignment.earliest(pairs, first, second, costs)
    found += FrameMatch.find(
      first: PictureAlignment.left(of: first, by: Set(found.map(\.first))),
      second: PictureAlignment.left(of: second, by: Set(found.map(\.second))))
    matches = FrameMatches(
      found, counts: (first.count, second.count),
      doubledInFirst: PictureAlignment.repeats(in: first, beside: Set(found.map(\.first)), costs),
      doubled: PictureAlignment.repeats(in: second, beside: Set(found.map(\.second)), costs))
    likeness = ClipLikeness.measure(matches.matches.map { (first[$0.first].signature, second[$0.second].signature) })
  }

  /// The frames that are in no pair: their places, and what they show.
  private static func left(of pictures: [Picture], by matched: Set<Int>) -> [(place: Int, key: Int)] {
    pictures.indices.filter { !matched.contains($0) }.map { (place: $0, key: pictures[$0].signature.digest) }
  }

  /// Of repeated frames, the first one belongs to the pair.
  private static func earliest(
    _ pairs: [(Int, Int)], _ first: [Picture], _ second: [Picture], _ costs: AlignmentCosts
  ) -> [FrameMatch] {
    func begin(_ place: Int, in pictures: [Picture], after end: Int) -> Int {
      var place = place
      while place - 1 > end, costs.isDouble(pictures[place - 1], pictures[place]) { place -= 1 }
      return place
    }
    var last = FrameMatch(first: -1, second: -1)
    return pairs.map { one, other in
      last = FrameMatch(
        first: begin(one, in: first, after: last.first), second: begin(other, in: second, after: last.second))
      return last
    }
  }

  /// The frames that repeat a match, or a frame that does, right behind it.
  private static func repeats(in pictures: [Picture], beside matched: Set<Int>, _ costs: AlignmentCosts) -> Set<Int> {
    var found: Set<Int> = []
    for place in pictures.indices.dropFirst() where !matched.contains(place) {
      guard matched.contains(place - 1) || found.contains(place - 1) else { continue }
      if costs.isDouble(pictures[place - 1], pictures[place]) { found.insert(place) }
    }
    return found
  }
}

/// The cost of pairing two frames, and of leaving one out, in units of the usual difference between consecutive frames.
struct AlignmentCosts {
  /// The usual difference between consecutive frames (the median), in 8-bit code values.
  private let step: Float
  /// Whether consecutive frames differ.
  private let isMoving: Bool

  /// Less than two frames that differ cost as a pair. Two gaps cost more than that, so that a damaged frame does not
  /// count as one missing and one added.
  static let gap: Float = 0.75
  /// Decides if the frames do not.
  private static let otherTime: Float = 0.01
  /// How much an encoder may change a frame in which nothing moves, in code values.
  private static let least: Float = 0.05

  init(_ pictures: [PictureAlignment.Picture]) {
    let steps = zip(pictures, pictures.dropFirst()).map { $0.signature.distance(to: $1.signature) }.sorted()
    let median = steps.isEmpty ? 0 : steps[steps.count / 2]
    isMoving = median > AlignmentCosts.least
    step = max(median, AlignmentCosts.least)
  }

  /// 0 to 1.01.
  func pair(_ first: PictureAlignment.Picture, _ second: PictureAlignment.Picture) -> Float {
    let distance = min(1, first.signature.distance(to: second.signature) / step)
    return distance + (first.time == second.time ? 0 : AlignmentCosts.otherTime)
  }

  /// Whether the second of two consecutive frames repeats the first. In a still scene nobody can tell.
  func isDouble(_ first: PictureAlignment.Picture, _ second: PictureAlignment.Picture) -> Bool {
    isMoving && first.signature.distance(to: second.signature) < step / 4
  }
}
