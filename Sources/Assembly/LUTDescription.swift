package import Color
package import Frames
import Kernels
import Reporting

/// A LUT in words.
package enum LUTDescription {
  /// What selects the arithmetic, besides the table and the bit depth.
  package struct Bake {
    package let from: ColorDescription
    package let to: ColorDescription
    package let interpolation: Interpolation

    package init(from: ColorDescription, to: ColorDescription, interpolation: Interpolation) {
      self.from = from
      self.to = to
      self.interpolation = interpolation
    }
  }

  package static func lines(of table: LookupTable, for bake: Bake) -> [String] {
    var lines = ["title: \(table.title ?? "none")"]
    if let curves = table.curves {
      lines.append("1D table: \(curves.size) points per channel, input \(domain(curves.domainMin, curves.domainMax))")
      lines.append("1D values: \(range(curves.samples))")
    }
    if let lattice = table.lattice {
      lines.append(
        "3D table: \(lattice.size)x\(lattice.size)x\(lattice.size), input"
          + " \(domain(lattice.domainMin, lattice.domainMax))")
      lines.append("3D values: \(range(lattice.samples))")
    }
    if table.inputIsVideoRange { lines.append("reads video range: 64/1023 stands for 0, 940/1023 for 1") }
    if table.outputIsVideoRange { lines.append("gives video range: 64/1023 stands for 0, 940/1023 for 1") }
    lines.append("neutrals: \(neutrals(table.facts))")
    lines += [8, 10].map { "bake at \($0) bits: \(path(of: table, for: bake, bitDepth: $0))" }
    lines.append("sha256: \(table.sha256)")
    return lines
  }

  /// In one line: `33x33x33, input 0 to 1, values -0.224 to 1, neutrals never fall`.
  package static func summary(of table: LookupTable) -> String {
    let facts = table.facts
    let curves = facts.curveSize.map { "1D \($0)" }, lattice = facts.latticeSize.map { "\($0)x\($0)x\($0)" }
    let sizes = [curves, lattice].compactMap(\.self).joined(separator: " + ")
    let low = HumanText.fixed(Double(facts.minimum.min()), 3), high = HumanText.fixed(Double(facts.maximum.max()), 3)
    let rise = facts.neutralsAreMonotonic ? "neutrals never fall" : "neutrals fall"
    return "\(sizes), input \(domain(facts.domainMin, facts.domainMax)), values \(low) to \(high), \(rise)"
  }

  /// What a table for the input 0 to 1 would lose of this one.
  package static func lost(by table: LookupTable) -> [String] {
    let facts = table.facts
    guard facts.domainMin.min() < 0 || facts.domainMax.max() > 1 else { return [] }
    return ["the LUT's input goes from \(domain(facts.domainMin, facts.domainMax)); the new one covers only 0 to 1"]
  }

  /// `the greatest difference found is 0.000210 (0.21 code values of 10 bits)`: nobody has looked at every colour.
  package static func deviation(_ value: Double) -> String {
    let codes = HumanText.fixed(value * 1023, 2)
    return "the greatest difference found is \(HumanText.fixed(value, 6)) (\(codes) code values of 10 bits)"
  }

  private static func neutrals(_ facts: LookupTable.Facts) -> String {
    let rise = facts.neutralsFallAt.map { "fall, first at input \(HumanText.fixed($0, 4))" } ?? "never fall"
    return "\(rise); channels at most \(HumanText.fixed(facts.neutralSpread, 6)) apart"
  }

  /// The arithmetic that keeps the table within one code. Narrow (16-bit) arithmetic is faster.
  private static func path(of table: LookupTable, for bake: Bake, bitDepth: Int) -> String {
    do throws(CamrecError) {
      let path = try TablePath(
        of: table, interpolation: bake.interpolation, from: bake.from, to: bake.to, bitDepth: bitDepth)
      let way = "\(ColorName.name(of: bake.from)) to \(ColorName.name(of: bake.to)), \(bake.interpolation.rawValue)"
      return "\(path == .narrow ? "narrow" : "wide") arithmetic (\(way))"
    } catch {
      return "refused because \(error.message)"
    }
  }

  private static func domain(_ low: SIMD3<Double>, _ high: SIMD3<Double>) -> String {
    let isUniform = low == SIMD3(repeating: low.x) && high == SIMD3(repeating: high.x)
    if isUniform { return "\(low.x) to \(high.x)" }
    return "\(low.x) \(low.y) \(low.z) to \(high.x) \(high.y) \(high.z)"
  }

  private static func range(_ samples: [Float]) -> String {
    let low = samples.min() ?? 0, high = samples.max() ?? 0
    let outside = samples.count { !(0...1).contains($0) }
    return "\(low) to \(high)" + (outside == 0 ? "" : ", \(outside) of \(samples.count) outside 0 to 1")
  }
}
