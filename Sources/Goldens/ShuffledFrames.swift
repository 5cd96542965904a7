/// Two clips of which one has many frames in another order, and an encoder changed them: a frame differs from the one
/// in its place by much more than from another, and these others are in another order.
///
/// Measured on a test card, a fast and a slow pan, a zoom and noise, 75 frames of each, after x264. After CRF 10, all
/// are found, backwards or with the first and the third of three exchanged; after CRF 28, backwards, all but the
/// noise. In their own order, at CRF 28 and 40, no frame differs `clearly` more from the one in its place than from
/// another. Where the frames are late, at another rate or cropped from a zoom, up to two thirds do, but these others
/// are in order.
struct ShuffledFrames {
  private let first: [PictureSignature]
  private let second: [PictureSignature]
  private let costs: AlignmentCosts
  private let nearest: NearestFrames
  /// How much the frames of the first clip differ from those in their places.
  private let inPlace: [Int: Float]
  /// The median of that.
  private let usual: Float

  /// How many times more a frame differs from the one in its place than from another: to tell that the clip is in
  /// another order, and, if it is, which frames are.
  private static let clearly: Float = 4
  private static let more: Float = 2
  /// How many frames to look at before all of them.
  private static let few = 256

  /// - Parameter pairs: the pairs that differ least, rising in both clips.
  /// - Returns: `nil` if the clips have the same order, or nobody can tell.
  init?(_ first: [PictureSignature], _ second: [PictureSignature], pairs: [FrameMatch], _ costs: AlignmentCosts) {
    guard !pairs.isEmpty else { return nil }
    let distances = pairs.map { first[$0.first].distance(to: second[$0.second]) }
    guard ShuffledFrames.mayBe(first, second, pairs, distances) else { return nil }
    let inPlace = Dictionary(uniqueKeysWithValues: zip(pairs.map(\.first), distances))
    let nearest = NearestFrames(first, second)
    let elsewhere = nearest.mutual.filter { match in
      guard let distance = inPlace[match.first] else { return false }
      return nearest.first[match.first].distance * ShuffledFrames.clearly < distance
    }
    let moved = elsewhere.count - FrameMatch.rising(elsewhere).count
    guard elsewhere.count * 3 >= pairs.count, moved * 4 >= elsewhere.count else { return nil }
    self.first = first
    self.second = second
    self.costs = costs
    self.nearest = nearest
    self.inPlace = inPlace
    usual = distances.sorted()[distances.count / 2]
  }

  /// Whether a fifth of a few frames or more differ clearly more from those in their places than from others: of all
  /// frames, a third have to. The search for all takes far longer.
  private static func mayBe(
    _ first: [PictureSignature], _ second: [PictureSignature], _ pairs: [FrameMatch], _ distances: [Float]
  ) -> Bool {
    let places = spread(over: pairs.count)
    let profiles = second.map(\.columns)
    let found = places.count { number in
      let place = pairs[number].first, inPlace = distances[number]
      let columns = first[place].columns
      return NearestFrames.around(place, of: first.count, in: second.count).contains { other in
        PictureSignature.leastDistance(columns, profiles[other]) * clearly < inPlace
          && first[place].distance(to: second[other]) * clearly < inPlace
      }
    }
    return found * 5 >= places.count
  }

  /// Up to `few` places among so many: evenly spread, but without a period, as an order may have one.
  private static func spread(over count: Int) -> [Int] {
    guard count > few else { return Array(0..<count) }
    let goldenRatio = 0.618_033_988_749_894_9
    return (0..<few).map { Int((Double($0) * goldenRatio).truncatingRemainder(dividingBy: 1) * Double(count)) }
  }

  /// Whether the frames of a pair show different moments: one of them is in the other clip, elsewhere.
  func isWrong(_ pair: FrameMatch) -> Bool {
    let distance = first[pair.first].distance(to: second[pair.second])
    let least = min(nearest.first[pair.first].distance, nearest.second[pair.second].distance)
    return costs.isOther(distance) && least * ShuffledFrames.more < distance
  }

  /// Whether the first clip shows a frame of the second.
  func firstShows(_ frame: Int) -> Bool { costs.isSame(nearest.second[frame].distance) }

  /// The frames that belong together, of those without a pair: first those that are nearest to each other, then each
  /// with what is left. O(n · 32768).
  func moved(_ left: [Int], _ others: [Int]) -> [FrameMatch] {
    // By place.
    var open = [Bool](repeating: false, count: first.count), free = [Bool](repeating: false, count: second.count)
    for place in left { open[place] = true }
    for place in others { free[place] = true }
    var found = nearest.mutual.filter { match in
      open[match.first] && free[match.second]
        && nearest.first[match.first].distance * ShuffledFrames.more < inPlace[match.first] ?? usual
    }
    for match in found { (open[match.first], free[match.second]) = (false, false) }
    let profiles = second.map(\.columns)
    for place in left where open[place] {
      let columns = first[place].columns
      var best = (place: -1, distance: Float.infinity)
      for other in NearestFrames.around(place, of: first.count, in: second.count) where free[other] {
        guard PictureSignature.leastDistance(columns, profiles[other]) < best.distance else { continue }
        let distance = first[place].distance(to: second[other])
        if distance < best.distance { best = (other, distance) }
      }
      // One that had a pair is a changed frame rather than a missing one.
      guard best.place >= 0, inPlace[place] != nil || best.distance <= usual else { continue }
      free[best.place] = false
      found.append(FrameMatch(first: place, second: best.place))
    }
    return found
  }
}
