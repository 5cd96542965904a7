package import Color
import Frames
import Kernels

/// The contents of a .cube file, for programs; the help of `camrec lut info` says what the fields mean.
package struct LUTReport: Encodable {
  package struct Bake: Encodable {
    package let bits: Int
    package let path: String
    package let refusal: String?

    package init(bits: Int, path: String, refusal: String?) {
      self.bits = bits
      self.path = path
      self.refusal = refusal
    }
  }

  package let format = "camrec-lut-info"
  package let version = 1
  package let path: String
  package let title: String?
  package let sha256: String
  package let curveSize: Int?
  package let latticeSize: Int?
  package let domainMin: [Double]
  package let domainMax: [Double]
  package let minimum: [Double]
  package let maximum: [Double]
  package let readsVideoRange: Bool
  package let givesVideoRange: Bool
  package let neutralsAreMonotonic: Bool
  package let neutralsFallAt: Double?
  package let neutralSpread: Double
  package let bakes: [Bake]
  package let warnings: [String]

  package init(_ table: LookupTable, path: String, for bake: LUTDescription.Bake) {
    self.path = path
    let facts = table.facts
    (title, sha256, warnings) = (table.title, table.sha256, table.warnings)
    (curveSize, latticeSize) = (facts.curveSize, facts.latticeSize)
    domainMin = facts.domainMin.indices.map { Double(facts.domainMin[$0]) }
    domainMax = facts.domainMax.indices.map { Double(facts.domainMax[$0]) }
    minimum = facts.minimum.indices.map { Double(facts.minimum[$0]) }
    maximum = facts.maximum.indices.map { Double(facts.maximum[$0]) }
    (readsVideoRange, givesVideoRange) = (table.inputIsVideoRange, table.outputIsVideoRange)
    (neutralsAreMonotonic, neutralsFallAt) = (facts.neutralsAreMonotonic, facts.neutralsFallAt)
    neutralSpread = facts.neutralSpread
    bakes = [8, 10].map { bits in
      do throws(CamrecError) {
        let way = try TablePath(
          of: table, interpolation: bake.interpolation, from: bake.from, to: bake.to, bitDepth: bits)
        return Bake(bits: bits, path: way == .narrow ? "narrow" : "wide", refusal: nil)
      } catch {
        return Bake(bits: bits, path: "refused", refusal: error.message)
      }
    }
  }
}
