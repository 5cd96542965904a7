/// For each frame of two clips, the frame of the other clip that differs least from it, wherever it is.
struct NearestFrames {
  struct Neighbour {
    /// −1 if there is none.
    var place = -1
    var distance = Float.infinity
  }

  /// For the frames of the first clip, and for those of the second.
  let first: [Neighbour]
  let second: [Neighbour]

  /// How far from an even course to look, in frames: eleven minutes at 25 fps.
  private static let reach = 16_384

  /// O(n · 32768); most frames are passed over by their `columns`.
  init(_ first: [PictureSignature], _ second: [PictureSignature]) {
    let profiles = first.map(\.columns), others = second.map(\.columns)
    var found = [Neighbour](repeating: Neighbour(), count: first.count)
    var back = [Neighbour](repeating: Neighbour(), count: second.count)
    for place in first.indices {
      var best = Neighbour()
      for other in NearestFrames.around(place, of: first.count, in: second.count) {
        let least = PictureSignature.leastDistance(profiles[place], others[other])
        guard least < best.distance || least < back[other].distance else { continue }
        let distance = first[place].distance(to: second[other])
        if distance < best.distance { best = Neighbour(place: other, distance: distance) }
        if distance < back[other].distance { back[other] = Neighbour(place: place, distance: distance) }
      }
      found[place] = best
    }
    (self.first, self.second) = (found, back)
  }

  /// Where to look for a frame of one clip in the other: at most 32768 places.
  ///
  /// - Parameters:
  ///   - place: the frame's.
  ///   - count: how many frames its clip has.
  ///   - others: how many the other has.
  static func around(_ place: Int, of count: Int, in others: Int) -> Range<Int> {
    let middle = place * others / count
    return max(0, middle - reach)..<min(others, middle + reach)
  }

  /// The frames that are nearest to each other, rising in the first clip.
  var mutual: [FrameMatch] {
    first.indices.compactMap { place in
      let other = first[place].place
      return second.indices.contains(other) && second[other].place == place
        ? FrameMatch(first: place, second: other) : nil
    }
  }
}
