/// Pairs the frames of two clips by what they show, whatever their times: first frames whose luma is equal, and between
/// those the sequence of pairs that differs least (Needleman and Wunsch, 1970).
///
/// A frame that is unlike all others stays between its neighbours' matches: it is changed, not missing. A frame that
/// the other clip shows elsewhere belongs there (`SameFrames`). In a still scene, the times decide.
public struct PictureAlignment: Sendable {
  /// A frame of a clip.
  public struct Picture: Sendable {
    public let signature: PictureSignature
    /// Its time in frames, on a time line shared with the other clip.
    public let time: Double

    public init(_ signature: PictureSignature, time: Double) {
      self.signature = signature
      self.time = time
    }
  }

  public let matches: FrameMatches

  /// How similar the clips are, 0 to 1 (`ClipLikeness`); `nil` if nothing tells.
  public let likeness: Double?

  /// O(n) for equal clips; at most O(n · 4096) between two matches. If a look at a few frames says that they
  /// may be in another order, O(n · 32768) for all, and again for those left over (`ShuffledFrames`).
  public init(first: [Picture], second: [Picture]) {
    let costs = AlignmentCosts(first)
    var pairs: [FrameMatch] = []
    var last = (-1, -1)
    let anchors = FrameAnchors.find(golden: first.map(\.signature.digest), film: second.map(\.signature.digest))
    for (golden, film) in anchors + [(first.count, second.count)] {
      let gap = AlignmentGap(first: last.0 + 1..<golden, second: last.1 + 1..<film)
      pairs += gap.pairs(first, second, costs).map { FrameMatch(first: $0, second: $1) }
      if golden < first.count { pairs.append(FrameMatch(first: golden, second: film)) }
      last = (golden, film)
    }
    matches = SameFrames(first, second, pairs: pairs, costs).matches(pairs)
    likeness = ClipLikeness.measure(matches.matches.map { (first[$0.first].signature, second[$0.second].signature) })
  }
}
