/// Compares the frames of a film with a golden's.
///
/// Matches frames by their hashes, so that a missing or repeated frame is one difference, and the frames after it are
/// not compared with their neighbours. If that gives more differences than the times alone (two frames have changed
/// places), the times decide.
public struct FrameComparison {
  /// In the order of the film, with differences in time last; empty if the film equals the golden.
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
