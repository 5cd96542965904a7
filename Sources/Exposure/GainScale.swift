/// The gains of a device, in EV above its lowest.
public enum GainScale: Hashable, Sendable {
  /// Any gain within the range, in steps of 1/1024 EV.
  case continuous(ClosedRange<Stops>)
  /// Only these, rising.
  case steps([Stops])

  /// `perEV` steps per EV, from `lowest` up to the last that is not above `highest`: 3 for third stops.
  ///
  /// - Precondition: `perEV` is greater than zero, and `highest` not below `lowest`.
  public static func steps(perEV: Int, from lowest: Stops = .zero, to highest: Stops) -> GainScale {
    precondition(perEV > 0 && lowest <= highest, "a scale of gains has steps, and rises")
    let count = (highest - lowest).units * perEV / Stops.unitsPerEV + 1
    return .steps(
      (0..<count).map { lowest + Stops(units: ($0 * Stops.unitsPerEV * 2 + perEV) / (2 * perEV)) })
  }

  public var range: ClosedRange<Stops> {
    switch self {
    case .continuous(let range): range
    case .steps(let steps): (steps.first ?? .zero)...(steps.last ?? .zero)
    }
  }

  /// The gain nearest to `gain`; the lower of two equally near.
  public func nearest(to gain: Stops) -> Stops {
    switch self {
    case .continuous(let range): return gain.clamped(to: range)
    case .steps(let steps):
      let above = firstIndex(from: gain)
      guard above > 0 else { return steps.first ?? .zero }
      guard above < steps.count else { return steps[steps.count - 1] }
      return steps[above] - gain < gain - steps[above - 1] ? steps[above] : steps[above - 1]
    }
  }

  /// The lowest gain that is not below `gain`, else the highest.
  func next(from gain: Stops) -> Stops {
    switch self {
    case .continuous(let range): return gain.clamped(to: range)
    case .steps(let steps): return steps[min(firstIndex(from: gain), steps.count - 1)]
    }
  }

  /// The index of the first step that is not below `gain`; the number of steps if there is none.
  private func firstIndex(from gain: Stops) -> Int {
    guard case .steps(let steps) = self else { return 0 }
    var low = 0, high = steps.count
    while low < high {
      let middle = (low + high) / 2
      if steps[middle] < gain { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
