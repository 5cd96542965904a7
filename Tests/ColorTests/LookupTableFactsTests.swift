import Color
import Testing

@Suite struct LookupTableFactsTests {
  @Test func `a cube`() throws {
    var rows = CubeText.rows()
    rows[1] = "-0.25 0 1.6"
    let header = ["LUT_3D_SIZE 5", "DOMAIN_MIN 0 -1 0", "DOMAIN_MAX 1 2 3"]
    let facts = try CubeText.read(CubeText.cube(header, rows: rows)).facts
    #expect(facts.kind == .lattice && facts.latticeSize == 5 && facts.curveSize == nil)
    #expect(facts.domainMin == [0, -1, 0] && facts.domainMax == [1, 2, 3])
    #expect(facts.minimum == [-0.25, 0, 0] && facts.maximum == [1, 1, 1.6])
  }

  @Test func `neutrals of an identity rise and stay neutral`() throws {
    let facts = try CubeText.read(CubeText.cube()).facts
    #expect(facts.neutralsAreMonotonic)
    #expect(facts.neutralSpread < 1e-9)
  }

  @Test func `one channel that falls once is found`() throws {
    var rows = CubeText.rows()
    rows[3 + 3 * 5 + 3 * 25] = "0.75 0.4 0.75"
    let facts = try CubeText.read(CubeText.cube(rows: rows)).facts
    #expect(!facts.neutralsAreMonotonic)
    #expect(abs(facts.neutralSpread - 0.35) < 1e-6)
  }

  @Test func `curves, and curves before a cube`() throws {
    let curves = try CubeText.read(["LUT_1D_SIZE 3", "LUT_1D_INPUT_RANGE -1 1", "0 0 0", "1 1 1", "0.5 2 2"]).facts
    #expect(curves.kind == .curves && curves.curveSize == 3 && curves.latticeSize == nil)
    #expect(curves.domainMin == [-1, -1, -1] && curves.maximum == [1, 2, 2])
    #expect(!curves.neutralsAreMonotonic)
    let both = try CubeText.read(
      CubeText.cube(["LUT_1D_SIZE 2", "LUT_3D_SIZE 5"], rows: ["1 1 1", "0 0 0"] + CubeText.rows())).facts
    #expect(both.kind == .curvesAndLattice && both.curveSize == 2 && both.latticeSize == 5)
    #expect(!both.neutralsAreMonotonic)
    #expect(both.kind.rawValue == "1D + 3D")
  }
}
