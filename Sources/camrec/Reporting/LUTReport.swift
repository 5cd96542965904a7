import Color
import Frames
import Kernels

/// The contents of a .cube file, for programs; the help of `camrec lut info` says what the fields mean.
struct LUTReport: Encodable {
  struct Bake: Encodable {
    let bits: Int
    let path: String
    let refusal: String?
  }

  let format = "camrec-lut-info"
  let version = 1
  let path: String
  let title: String?
  let sha256: String
  let curveSize: Int?
  let latticeSize: Int?
  let domainMin: [Double]
  let domainMax: [Double]
  let minimum: [Double]
  let maximum: [Double]
  let readsVideoRange: Bool
  let givesVideoRange: Bool
  let neutralsAreMonotonic: Bool
  let neutralsFallAt: Double?
  let neutralSpread: Double
  let bakes: [Bake]
  let warnings: [String]

  init(_ table: LookupTable, path: String, for bake: LUTDescription.Bake) {
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
