import Color
import Testing

@Suite struct CubeWritingTests {
  @Test func `the text of a small table`() {
    let table = LookupTable(
      title: "t", curves: .init(size: 2, samples: [-0.25, 0, 1e-7, 1.6, 1, 0.1234567]), lattice: nil,
      inputIsVideoRange: true)
    let text = """
      # one
      # two
      TITLE "t"
      LUT_1D_SIZE 2
      LUT_IN_VIDEO_RANGE
      -0.250000 0.000000 0.000000
      1.600000 1.000000 0.123457

      """
    #expect(String(decoding: table.cubeFile(comments: ["one", "two"]), as: UTF8.self) == text)
  }

  @Test func `what is written is read again`() throws {
    let curves = LookupTable.Curves(
      size: 3, samples: [0, -1, 2, 0.5, 0.25, 1e20, 1, 1, -3e15], domainMin: [-1, 0, 0.001], domainMax: [1, 2, 3])
    let lattice = LookupTable.Lattice(
      size: 2, samples: (0..<24).map { Float($0) / 8 - 1 },
      domainMin: SIMD3(repeating: -0.5), domainMax: SIMD3(repeating: 2))
    let table = LookupTable(title: "both", curves: curves, lattice: lattice, outputIsVideoRange: true)
    let bytes = table.cubeFile()
    let back = try CubeText.read(bytes)
    #expect(back.title == "both" && back.outputIsVideoRange && !back.inputIsVideoRange)
    #expect(back.curves?.samples == curves.samples)
    #expect(back.curves?.domainMin == curves.domainMin && back.curves?.domainMax == curves.domainMax)
    #expect(back.lattice?.samples == lattice.samples)
    #expect(back.lattice?.domainMin == lattice.domainMin && back.lattice?.domainMax == lattice.domainMax)
    #expect(back.warnings == [])
    #expect(back.cubeFile() == bytes)
  }
}
