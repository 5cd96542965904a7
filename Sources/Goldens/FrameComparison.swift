/// Compares the frames of a film with a golden's.
///
/// Matches frames by their hashes, so that a missing or repeated frame is one difference, and the frames after it are
/// not compared with their neighbours. If that gives more differences than the times alone (two frames have changed
/// places), the times decide.
public struct FrameComparison {
  /// In the order of the film, with differences in time last; empty if the film equals the golden.
  public let differences: [FrameDifference]

  private let golden: FrameHashes
  private let film: FrameHashes

  /// - Parameter before: the comparison of the same frames before an encoder. Behind a missing frame, or at another
  ///   rate, an encoder may give all others other bits, so that their hashes do not tell which one is missing.
  public init(golden: FrameHashes, film: FrameHashes, before: FrameComparison? = nil) {
    (self.golden, self.film) = (golden, film)
    if let difference = FrameComparison.format(golden, film) {
      differences = [difference]
      return
    }
    let anchors = FrameComparison.anchors(golden, film)
    if let pairs = before?.pairs(of: golden, film, with: anchors) {
      differences = FramePairing(golden: golden, film: film, anchors: pairs).differences
      return
    }
    let known = FramePairing(golden: golden, film: film, anchors: anchors)
    guard !known.differences.isEmpty else {
      differences = []
      return
    }
    let timed = FramePairing(golden: golden, film: film, anchors: [])
    differences = timed.weight < known.weight ? timed.differences : known.differences
  }

  private static func anchors(_ golden: FrameHashes, _ film: FrameHashes) -> [(golden: Int, film: Int)] {
    FrameAnchors.find(golden: golden.pictures.map(\.hash), film: film.pictures.map(\.hash))
  }

  /// The frames that match, for the same frames behind an encoder.
  ///
  /// - Parameter anchors: the frames that match behind the encoder.
  /// - Returns: `nil` if no frame is missing, added or late, if frames have another order, or if these frames say
  ///   otherwise.
  private func pairs(
    of encoded: FrameHashes, _ film: FrameHashes, with anchors: [(golden: Int, film: Int)]
  ) -> [(golden: Int, film: Int)]? {
    let isOfAll = encoded.pictures.count == golden.pictures.count && film.pictures.count == self.film.pictures.count
    guard isOfAll, isInOtherTime else { return nil }
    var pairs = FrameComparison.anchors(golden, self.film)
    let places = Dictionary(uniqueKeysWithValues: pairs.map { ($0.golden, $0.film) })
    guard anchors.allSatisfy({ (places[$0.golden] ?? $0.film) == $0.film }) else { return nil }
    pairs += anchors.filter { places[$0.golden] == nil }
    pairs.sort { $0.golden < $1.golden }
    return zip(pairs, pairs.dropFirst()).allSatisfy { $0.film < $1.film } ? pairs : nil
  }

  /// Whether frames are missing, added, early or late, and none have another order.
  private var isInOtherTime: Bool {
    var isOther = false
    for difference in differences {
      switch difference {
      case .dropped, .added, .repeated, .shifted: isOther = true
      case .changed, .ending: break
      case .format, .replaced, .swapped, .moved: return false
      }
    }
    return isOther
  }

  /// Another size is the only difference reported: no frame can match the golden then.
  private static func format(_ golden: FrameHashes, _ film: FrameHashes) -> FrameDifference? {
    func words(_ hashes: FrameHashes) -> String {
      let sizes = hashes.pictures.map(\.size)
      let bytes = sizes.min().flatMap { least in
        sizes.max().map { least == $0 ? "\(least) bytes" : "\(least) to \($0) bytes" }
      }
      return [hashes.dimensions, bytes].compactMap { $0 }.joined(separator: ", ")
    }
    let sizes = Set(golden.pictures.map(\.size)).union(film.pictures.map(\.size))
    let areDifferent = golden.dimensions != nil && film.dimensions != nil && golden.dimensions != film.dimensions
    guard sizes.count > 1 || areDifferent else { return nil }
    return .format(golden: words(golden), film: words(film))
  }
}
