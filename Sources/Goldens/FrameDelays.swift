/// How much later a film's pictures are than a golden's, by those that are known again: behind one that is missing all
/// may be earlier.
public struct FrameDelays: Sendable {
  /// From a golden picture's time on, in seconds, rising; whether the film has pictures before the next that is known.
  private var steps: [(seconds: Double, delay: Double, hasRoom: Bool)] = []

  public init(golden: FrameHashes, film: FrameHashes) {
    let anchors = FrameAnchors.find(golden: golden.pictures.map(\.hash), film: film.pictures.map(\.hash))
    for (place, anchor) in anchors.enumerated() {
      let seconds = golden.seconds(of: anchor.golden)
      let next = place + 1 < anchors.count ? anchors[place + 1].film : film.pictures.count
      steps.append((seconds, film.seconds(of: anchor.film) - seconds, next > anchor.film + 1))
    }
  }

  /// When what the golden shows at that time is in the film; `nil` where it is not.
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

  /// Seconds by which times that are the same may differ: Matroska counts in milliseconds.
  private static let rounding = 0.001
}
