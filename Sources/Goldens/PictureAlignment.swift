/// Which pictures of two clips belong together by what they show, whatever their times: pictures whose samples are
/// equal first, and between those the row of pairs that differs least (Needleman and Wunsch, 1970).
///
/// A picture that is not like any other stays beside its neighbours' likes: it is changed, not missing. Where pictures
/// do not tell (a still scene), their times do.
public struct PictureAlignment: Sendable {
  /// A picture of a clip.
  public struct Picture: Sendable {
    public let signature: PictureSignature
    /// When it shows, in frames, on one time line with the other clip's.
    public let time: Int64

    public init(_ signature: PictureSignature, time: Int64) {
      self.signature = signature
      self.time = time
    }
  }

  /// A number for each picture: it rises within a clip, and those that belong together have the same. One that is
  /// there again has that of the picture before it.
  public let keys: (first: [Int64], second: [Int64])

  /// How like the clips are, 0 to 1 (`ClipLikeness`); `nil` where nothing tells.
  public let likeness: Double?

  /// O(n) for equal clips; at most O(n · 4096) between pictures that are known again.
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
    likeness = ClipLikeness.measure(pairs.map { (first[$0.0].signature, second[$0.1].signature) })
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
    /// Of pictures that are there several times the first one is a pair's.
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

/// What it costs to hold two pictures against each other, and to leave one out, in units of what pictures that follow
/// one another differ by.
struct AlignmentCosts {
  /// By what pictures of the clip that follow one another differ as a rule (the median), in 8-bit code values.
  private let step: Float
  /// Pictures that follow one another differ.
  private let isMoving: Bool

  /// Below the cost of two that differ, so that a spoilt picture is not taken for a missing and an added one; two of
  /// them are above what one costs.
  static let gap: Float = 0.75
  /// Decides where pictures do not.
  private static let otherTime: Float = 0.01
  /// What an encoder may do to a picture in which nothing moves, in code values.
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

  /// Whether the second of two that follow one another is the first again. In a still scene nobody can say.
  func isDouble(_ first: PictureAlignment.Picture, _ second: PictureAlignment.Picture) -> Bool {
    isMoving && first.signature.distance(to: second.signature) < step / 4
  }
}
