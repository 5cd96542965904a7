/// Holds the pictures of a film against a golden's.
///
/// Pictures are known again by what they show, so that one that is missing, or is there twice, is one difference, and
/// what comes behind it is not compared with its neighbour. Where that says more than their times alone would (two
/// pictures have changed places), their times decide.
public struct FrameComparison {
  /// In the order of the film, what is of times behind them; none where it is the golden.
  public let differences: [FrameDifference]

  public init(golden: FrameHashes, film: FrameHashes) {
    if let difference = FrameComparison.format(golden, film) {
      differences = [difference]
      return
    }
    let anchors = FrameAnchors.find(golden: golden.pictures.map(\.hash), film: film.pictures.map(\.hash))
    let known = FramePairing(golden: golden, film: film, anchors: anchors)
    guard !known.differences.isEmpty else {
      differences = []
      return
    }
    let timed = FramePairing(golden: golden, film: film, anchors: [])
    differences = timed.weight < known.weight ? timed.differences : known.differences
  }

  /// Other sizes are all that is said of a film: none of its pictures can be the golden's.
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
