/// Matches frames by their content: each occurs once in both films, and in the same order.
enum FrameAnchors {
  /// - Parameters: what identifies each frame.
  /// - Returns: indices in the golden and in the film, both rising: the longest sequence in the same order, of the
  ///   frames that are unique in both.
  static func find<Key: Hashable>(golden: [Key], film: [Key]) -> [(golden: Int, film: Int)] {
    rising(shared(golden: golden, film: film))
  }

  /// The frames that are unique in both, rising in the golden.
  static func shared<Key: Hashable>(golden: [Key], film: [Key]) -> [(golden: Int, film: Int)] {
    let known = unique(golden)
    let found = unique(film)
    return golden.indices.compactMap { index -> (golden: Int, film: Int)? in
      guard known[golden[index]] == index, let place = found[golden[index]], place >= 0 else { return nil }
      return (index, place)
    }
  }

  /// The longest sequence that rises in both (patience sorting; O(n log n)).
  ///
  /// - Parameter pairs: rising in the golden.
  static func rising(_ pairs: [(golden: Int, film: Int)]) -> [(golden: Int, film: Int)] {
    // `ends[n]` is the pair that ends the best row of n + 1; `before` leads from a pair to the one before it.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].film < pair.film { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var row: [(golden: Int, film: Int)] = []
    var next = ends.last
    while let index = next {
      row.append(pairs[index])
      next = before[index]
    }
    return row.reversed()
  }

  /// The index of each key; −1 if it occurs more than once.
  private static func unique<Key: Hashable>(_ keys: [Key]) -> [Key: Int] {
    var places: [Key: Int] = [:]
    for (index, key) in keys.enumerated() { places[key] = places[key] == nil ? index : -1 }
    return places
  }
}
