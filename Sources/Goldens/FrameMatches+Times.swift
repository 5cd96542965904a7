extension FrameMatches {
  /// The same, but of equal frames in a row those belong to the matches that are on time: as late as the match before.
  /// The others are the repeated ones.
  ///
  /// - Parameters:
  ///   - keys: what identifies the frames.
  ///   - seconds: when they show.
  ///   - delay: how much later a frame of the second clip should show; `nil`: as much as in the match before.
  public func onTime<Key: Equatable>(
    keys: (first: [Key], second: [Key]), seconds: (first: [Double], second: [Double]), delay: Double? = nil
  ) -> FrameMatches {
    let second = FrameMatches.onTime(
      matches.map { (fixed: $0.first, free: $0.second) }, keys.second, fixed: seconds.first, free: seconds.second,
      delay)
    let both = FrameMatches.onTime(
      second.map { (fixed: $0.free, free: $0.fixed) }, keys.first, fixed: seconds.second, free: seconds.first,
      delay.map { -$0 })
    return FrameMatches(
      both.map { FrameMatch(first: $0.free, second: $0.fixed) }, counts: (keys.first.count, keys.second.count),
      doubledInFirst: Set(keys.first.indices).subtracting(missing),
      doubled: Set(keys.second.indices).subtracting(added))
  }

  /// - Parameters:
  ///   - pairs: positions in one clip, and in the one from whose equal frames the right one is chosen.
  ///   - keys: of that other clip.
  private static func onTime<Key: Equatable>(
    _ pairs: [(fixed: Int, free: Int)], _ keys: [Key], fixed: [Double], free: [Double], _ asked: Double?
  ) -> [(fixed: Int, free: Int)] {
    var taken = Set(pairs.map { $0.free }), before: Double?
    return pairs.map { pair in
      var best = pair.free
      if let delay = asked ?? before {
        func error(_ place: Int) -> Double { abs(free[place] - fixed[pair.fixed] - delay) }
        for step in [-1, 1] {
          var place = pair.free + step
          while keys.indices.contains(place), keys[place] == keys[pair.free], !taken.contains(place) {
            if error(place) < error(best) { best = place }
            place += step
          }
        }
        taken.remove(pair.free)
        taken.insert(best)
      }
      before = free[best] - fixed[pair.fixed]
      return (fixed: pair.fixed, free: best)
    }
  }
}
