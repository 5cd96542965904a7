import Color
import Testing

@Suite struct LookupTableFindingsTests {
  @Test func `nothing is odd about an identity, nor about a baked log cube`() throws {
    #expect(try CubeText.read(CubeText.cube()).findings == [])
    var rows = CubeText.rows()
    rows[0] = "-0.25 -0.1 -0.2"
    rows[124] = "1.6 1.5 1.595"
    #expect(try CubeText.read(CubeText.cube(rows: rows)).findings == [])
  }

  @Test(arguments: [
    (["LUT_1D_SIZE 3", "0 0 0", "0.5 0.6 0.5", "1 0.5 1"],
      "a brighter grey makes a channel darker, first at input 0.5039"),
    (["LUT_1D_SIZE 2", "0.5 0.5 0.5", "0.5 0.5 0.5"], "all colours become the same"),
    (["LUT_1D_SIZE 2", "DOMAIN_MAX 1 0.5 1", "0 0 0", "1 1 1"], "all inputs above 0.5 give the output of 0.5"),
    (["LUT_1D_SIZE 2", "DOMAIN_MIN 0.1 0 0", "0 0 0", "1 1 1"], "all inputs below 0.1 give the output of 0.1"),
    (["LUT_1D_SIZE 2", "0 0 0", "1023 1023 1023"],
      "values reach 1023.0, where 1 is white; were they written as code values?"),
  ])
  func `what a careful eye finds`(lines: [String], finding: String) throws {
    #expect(try CubeText.read(lines).findings == [finding])
  }
}
