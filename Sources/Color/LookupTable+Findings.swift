extension LookupTable {
  /// What a careful eye finds odd in the table itself, beside the `warnings` of its reader.
  public var findings: [String] {
    let facts = facts
    var findings: [String] = []
    if facts.minimum == facts.maximum {
      findings.append("every colour becomes the same one")
    } else if let input = facts.neutralsFallAt {
      findings.append("a brighter grey becomes darker in a channel, first at input \(Self.short(input))")
    }
    let low = facts.domainMin.max(), high = facts.domainMax.min()
    if low > 0 { findings.append("inputs below \(Self.short(low)) all become what \(Self.short(low)) becomes") }
    if high < 1 { findings.append("inputs above \(Self.short(high)) all become what \(Self.short(high)) becomes") }
    let extreme = max(facts.maximum.max(), -facts.minimum.min())
    if extreme > Self.plausible {
      findings.append("values reach \(extreme), where 1 is white; were they written as code values?")
    }
    return findings
  }

  /// Linear light of the brightest log curve in use stays below twice this; codes of 10 bits do not.
  private static let plausible: Float = 256

  /// Four digits behind the point, or as many as it takes to be something else than 0.
  private static func short(_ value: Double) -> Double {
    let rounded = (value * 10_000).rounded() / 10_000
    return rounded == 0 ? value : rounded
  }
}
