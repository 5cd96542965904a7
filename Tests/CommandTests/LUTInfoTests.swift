import Testing
import TestSupport

@Suite struct LUTInfoTests {
  private static let identity = """
    TITLE "nothing"
    LUT_3D_SIZE 2
    0 0 0
    1 0 0
    0 1 0
    1 1 0
    0 0 1
    1 0 1
    0 1 1
    1 1 1.5

    """

  @Test func saysWhatIsInside() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(LUTInfoTests.identity.utf8, to: "a.cube")
    let outcome = try CamrecBinary.find().run(["lut", "info", path], timeout: 20)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.standardOutput.contains(
        "title: nothing\nlattice: 2x2x2, input 0.0 to 1.0\nlattice values: 0.0 to 1.5, 1 of 24 outside 0 to 1\n"))
    #expect(outcome.standardOutput.contains("\nbake: 16-bit path at 8 bits, 16-bit path at 10 bits\n"))
    #expect(outcome.standardOutput.contains(try sha256(of: path)))
  }

  /// By another program.
  private func sha256(of path: String) throws -> String {
    String(String(decoding: try Tool.run(["sha256sum", path]), as: UTF8.self).prefix(64))
  }
}
