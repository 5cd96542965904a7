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

  /// A number for each frame: it rises within a clip, and frames that belong together have the same. A repeated frame
  /// has the number of the frame before it.
  public let keys: (first: [Int64], second: [Int64])

  /// Frames with equal samples that have no pair because the second clip has them elsewhere in its order, by their
  /// places in the first clip.
  public let moved: [FrameMove]

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
    keys = PictureAlignment.keys(pairs, first, second, costs)
    moved = FrameMove.find(
      first: PictureAlignment.left(of: first, by: pairs.map { $0.0 }),
      second: PictureAlignment.left(of: second, by: pairs.map { $0.1 }))
    likeness = ClipLikeness.measure(pairs.map { (first[$0.0].signature, second[$0.1].signature) })
  }

  /// The frames that are in no pair: their places, and what they show.
  private static func left(of pictures: [Picture], by paired: [Int]) -> [(place: Int, key: Int)] {
    let paired = Set(paired)
    return pictures.indices.filter { !paired.contains($0) }.map { (place: $0, key: pictures[$0].signature.digest) }
  }

  private static func keys(_ pairs: [(Int, Int)], _ first: [Picture], _ second: [Picture], _ costs: AlignmentCosts)
    -> (first: [Int64], second: [Int64])
  {
    var keys: (first: [Int64], second: [Int64]) = ([], [])
    var key: Int64 = -1
    func add(_ pictures: [Picture], upTo end: Int, to keys: inout [Int64]) {
      for place in keys.count..<end {
        if place == 0 || !costs.isDouble(pictures[place - 1], pictures[place]) { key += 1 }
        keys.append(key)
      }
    }
    /// Of repeated frames, the first one belongs to the pair.
    func earliest(_ place: Int, in pictures: [Picture], after end: Int) -> Int {
      var place = place
      while place > end, costs.isDouble(pictures[place - 1], pictures[place]) { place -= 1 }
      return place
    }
    for (one, other) in pairs {
      add(first, upTo: earliest(one, in: first, after: keys.first.count), to: &keys.first)
      add(second, upTo: earliest(other, in: second, after: keys.second.count), to: &keys.second)
      key += 1
      keys.first.append(key)
      keys.second.append(key)
    }
    add(first, upTo: first.count, to: &keys.first)
    add(second, upTo: second.count, to: &keys.second)
    return keys
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
