/// How much later a film's frames are than a golden's, from the frames that match: after a missing one all may be
/// earlier.
public struct FrameDelays: Sendable {
  /// Each applies from a golden frame's time on, in seconds, rising; `hasRoom`: the film has frames before the next
  /// match.
  private var steps: [(seconds: Double, delay: Double, hasRoom: Bool)] = []

  public init(golden: FrameHashes, film: FrameHashes) {
    let anchors = FrameAnchors.find(golden: golden.pictures.map(\.hash), film: film.pictures.map(\.hash))
    for (place, anchor) in anchors.enumerated() {
      let seconds = golden.seconds(of: anchor.golden)
      let next = place + 1 < anchors.count ? anchors[place + 1].film : film.pictures.count
      steps.append((seconds, film.seconds(of: anchor.film) - seconds, next > anchor.film + 1))
    }
  }

  /// The time in the film of what the golden shows at that time; `nil` if the film lacks it.
  public func filmSeconds(ofGolden seconds: Double) -> Double? {
    var low = 0, high = steps.count
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].seconds <= seconds + FrameDelays.rounding { low = middle + 1 } else { high = middle }
    }
    guard let step = low > 0 ? steps[low - 1] : steps.first else { return seconds }
    let isKnown = abs(step.seconds - seconds) <= FrameDelays.rounding
    return isKnown || low == 0 || step.hasRoom ? seconds + step.delay : nil
  }

  /// Tolerance for equal times in seconds: Matroska counts in milliseconds.
  private static let rounding = 0.001
}
