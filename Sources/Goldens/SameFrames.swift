/// Tells which frames of two clips show the same moment, and which surely do not.
///
/// Two clips are exact if half of the frames of the shorter one are each equal to one frame of the other, as after a
/// lossless encoder. A frame with an equal one then belongs to that, wherever it is. They are close if encoding changed
/// the frames by less than a quarter of what motion changes from one to the next. A frame then belongs to the one that
/// is that similar. Where many frames are in another order, they differ from those in their places by more than motion
/// changes: `ShuffledFrames` measures against that.
struct SameFrames {
  private typealias Picture = PictureAlignment.Picture

  private let first: [Picture]
  private let second: [Picture]
  private let costs: AlignmentCosts
  /// What each clip shows.
  private let known: (first: Set<Int>, second: Set<Int>)
  private let isExact: Bool
  /// Exact, if a frame that lasts a few frames counts as one, as in animation.
  private let isExactInRuns: Bool
  private let isClose: Bool
  /// Only if the clips are none of these.
  private let shuffled: ShuffledFrames?

  /// Frames to a run at most, on average: longer ones are still scenes.
  private static let longestRun = 4

  /// - Parameter pairs: the pairs that differ least, rising in both clips.
  init(
    _ first: [PictureAlignment.Picture], _ second: [PictureAlignment.Picture], pairs: [FrameMatch],
    _ costs: AlignmentCosts
  ) {
    self.first = first
    self.second = second
    self.costs = costs
    let digests = (first: first.map(\.signature.digest), second: second.map(\.signature.digest))
    let runs = (first: SameFrames.runs(digests.first), second: SameFrames.runs(digests.second))
    known = (Set(digests.first), Set(digests.second))
    isExact = SameFrames.areMostlyShared(digests.first, digests.second)
    isExactInRuns =
      runs.first.count * SameFrames.longestRun >= first.count
      && runs.second.count * SameFrames.longestRun >= second.count
      && SameFrames.areMostlyShared(runs.first, runs.second)
    let distances = pairs.map { first[$0.first].signature.distance(to: second[$0.second].signature) }.sorted()
    isClose =
      costs.isMoving && !isExact && !isExactInRuns && !distances.isEmpty && costs.isSame(distances[distances.count / 2])
    shuffled =
      costs.isMoving && !isExact && !isExactInRuns && !isClose
      ? ShuffledFrames(first.map(\.signature), second.map(\.signature), pairs: pairs, costs) : nil
  }

  /// Without what repeats the one before it.
  private static func runs(_ digests: [Int]) -> [Int] {
    digests.indices.filter { $0 == 0 || digests[$0 - 1] != digests[$0] }.map { digests[$0] }
  }

  /// Whether half of the frames of the shorter clip are unique and in the other, unique there.
  private static func areMostlyShared(_ first: [Int], _ second: [Int]) -> Bool {
    FrameAnchors.shared(golden: first, film: second).count * 2 >= min(first.count, second.count)
  }

  /// The pairs without those of different moments, and the frames that belong together elsewhere.
  ///
  /// - Parameter pairs: the pairs that differ least, rising in both clips.
  func matches(_ pairs: [FrameMatch]) -> FrameMatches {
    let pairs = earliest(pairs)
    let framed = zip(
      isFramed(pairs, in: first, by: { $0.first }), isFramed(pairs, in: second, by: { $0.second })
    ).map { $0 || $1 }
    var found = zip(pairs, framed).filter { pair, isFramed in isFramed || !isWrong(pair) }.map { $0.0 }
    let left = (
      first: SameFrames.left(first, by: Set(found.map(\.first))),
      second: SameFrames.left(second, by: Set(found.map(\.second)))
    )
    found += moved(left.first, left.second)
    return FrameMatches(
      found, counts: (first.count, second.count),
      doubledInFirst: repeats(
        in: first, beside: Set(found.map(\.first)), of: second,
        isElsewhere: { known.second.contains(first[$0].signature.digest) }),
      doubled: repeats(
        in: second, beside: Set(found.map(\.second)), of: first,
        isElsewhere: {
          known.first.contains(second[$0].signature.digest) || firstShows($0, near: $0)
            || shuffled?.firstShows($0) == true
        }))
  }

  // MARK: Frames

  /// Whether a frame repeats the one before it.
  private func isDouble(_ pictures: [Picture], _ place: Int) -> Bool {
    let (before, picture) = (pictures[place - 1], pictures[place])
    if isExact || isExactInRuns { return before.signature.digest == picture.signature.digest }
    return costs.isDouble(before, picture)
  }

  private func isSame(_ pair: FrameMatch) -> Bool {
    let (one, other) = (first[pair.first].signature, second[pair.second].signature)
    return one.digest == other.digest || isClose && costs.isSame(one.distance(to: other))
  }

  /// Whether the first clip shows a frame of the second, near a position.
  private func firstShows(_ frame: Int, near place: Int) -> Bool {
    isClose && SameFrames.around(place, first.count).contains { isSame(FrameMatch(first: $0, second: frame)) }
  }

  /// Whether the second clip shows a frame of the first, near a position.
  private func secondShows(_ frame: Int, near place: Int) -> Bool {
    isClose && SameFrames.around(place, second.count).contains { isSame(FrameMatch(first: frame, second: $0)) }
  }

  private static func around(_ place: Int, _ count: Int) -> Range<Int> {
    let low = min(max(0, place - AlignmentGap.reach), count)
    return low..<max(low, min(count, place + AlignmentGap.reach + 1))
  }

  // MARK: Pairs

  /// Of repeated frames, the first one belongs to the pair.
  private func earliest(_ pairs: [FrameMatch]) -> [FrameMatch] {
    var last = FrameMatch(first: -1, second: -1)
    return pairs.map { pair in
      let isEqual = first[pair.first].signature.digest == second[pair.second].signature.digest
      func begin(_ place: Int, in pictures: [Picture], after end: Int) -> Int {
        var place = place
        while place - 1 > end, isDouble(pictures, place),
          !isEqual || pictures[place - 1].signature.digest == pictures[place].signature.digest
        {
          place -= 1
        }
        return place
      }
      last = FrameMatch(
        first: begin(pair.first, in: first, after: last.first),
        second: begin(pair.second, in: second, after: last.second))
      return last
    }
  }

  /// Whether the frames of a pair show different moments: one of them is in the other clip, elsewhere.
  private func isWrong(_ pair: FrameMatch) -> Bool {
    let (one, other) = (first[pair.first].signature, second[pair.second].signature)
    guard one.digest != other.digest else { return false }
    let distance = one.distance(to: other)
    if isExact || isExactInRuns && costs.isVisible(distance) {
      return known.second.contains(one.digest) || known.first.contains(other.digest)
    }
    if let shuffled { return shuffled.isWrong(pair) }
    guard isClose, costs.isOther(distance) else { return false }
    return secondShows(pair.first, near: pair.second) || firstShows(pair.second, near: pair.first)
  }

  /// The pairs in whose frames one clip stands still, between pairs of frames that are the same: there the other clip
  /// is damaged, and shows no other moment.
  ///
  /// - Parameter place: the position of a pair in the clip that may stand still.
  private func isFramed(_ pairs: [FrameMatch], in pictures: [Picture], by place: (FrameMatch) -> Int) -> [Bool] {
    var before = [Bool](repeating: false, count: pairs.count), behind = before
    func isStill(_ pair: Int) -> Bool {
      place(pairs[pair]) == place(pairs[pair - 1]) + 1 && isDouble(pictures, place(pairs[pair]))
    }
    for pair in pairs.indices.dropFirst() where isStill(pair) {
      before[pair] = before[pair - 1] || isSame(pairs[pair - 1])
    }
    for pair in pairs.indices.dropFirst().reversed() where isStill(pair) {
      behind[pair - 1] = behind[pair] || isSame(pairs[pair])
    }
    return zip(before, behind).map { $0 && $1 }
  }

  // MARK: Frames without a pair

  private static func left(_ pictures: [PictureAlignment.Picture], by matched: Set<Int>) -> [Int] {
    pictures.indices.filter { !matched.contains($0) }
  }

  /// The frames that have no pair and belong together.
  private func moved(_ left: [Int], _ others: [Int]) -> [FrameMatch] {
    var found = FrameMatch.find(
      first: left.map { (place: $0, key: first[$0].signature.digest) },
      second: others.map { (place: $0, key: second[$0].signature.digest) })
    let matched = Set(found.map(\.first))
    var free = Set(others).subtracting(found.map(\.second))
    if let shuffled { return found + shuffled.moved(left.filter { !matched.contains($0) }, free.sorted()) }
    guard isClose else { return found }
    for place in left where !matched.contains(place) {
      let near = SameFrames.around(place, second.count).filter { free.contains($0) }
        .map { ($0, first[place].signature.distance(to: second[$0].signature)) }
      guard let (other, distance) = near.min(by: { $0.1 < $1.1 }), costs.isSame(distance) else { continue }
      free.remove(other)
      found.append(FrameMatch(first: place, second: other))
    }
    return found
  }

  /// The frames without a match that repeat one. In a still scene the times tell.
  ///
  /// - Parameter others: the frames of the other clip.
  private func repeats(
    in pictures: [Picture], beside matched: Set<Int>, of others: [Picture], isElsewhere: (Int) -> Bool
  ) -> Set<Int> {
    guard costs.isMoving || isExact || isExactInRuns else {
      let shown = ShownTimes(others.map(\.time))
      return Set(
        pictures.indices.filter { place in
          !matched.contains(place) && shown.contains(pictures[place].time)
            && (isElsewhere(place) || isLikeNeighbour(pictures, place))
        })
    }
    var found: Set<Int> = []
    for place in pictures.indices where !matched.contains(place) {
      let isBeside = matched.contains(place - 1) || found.contains(place - 1)
      if isBeside && isDouble(pictures, place) || isElsewhere(place) { found.insert(place) }
    }
    return found
  }

  /// Whether the frame before or behind looks the same.
  private func isLikeNeighbour(_ pictures: [Picture], _ place: Int) -> Bool {
    [place - 1, place + 1].contains { other in
      pictures.indices.contains(other)
        && !costs.isVisible(pictures[other].signature.distance(to: pictures[place].signature))
    }
  }
}
