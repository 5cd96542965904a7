extension LookupTable {
  /// Oddities of the table itself, in addition to the reader's `warnings`.
  public var findings: [String] {
    let facts = facts
    var findings: [String] = []
    if facts.minimum == facts.maximum {
      findings.append("all colours become the same")
    } else if let input = facts.neutralsFallAt {
      findings.append("a brighter grey makes a channel darker, first at input \(Self.short(input))")
    }
    let low = facts.domainMin.max(), high = facts.domainMax.min()
    if low > 0 { findings.append("all inputs below \(Self.short(low)) give the output of \(Self.short(low))") }
    if high < 1 { findings.append("all inputs above \(Self.short(high)) give the output of \(Self.short(high))") }
    let extreme = max(facts.maximum.max(), -facts.minimum.min())
    if extreme > Self.plausible {
      findings.append("values reach \(extreme), where 1 is white; were they written as code values?")
    }
    return findings
  }

  /// The linear light of the brightest log curve in use stays below twice this; 10-bit codes do not.
  private static let plausible: Float = 256

  /// Rounded to four decimals, or to as many as a value other than 0 needs.
  private static func short(_ value: Double) -> Double {
    let rounded = (value * 10_000).rounded() / 10_000
    return rounded == 0 ? value : rounded
  }
}
