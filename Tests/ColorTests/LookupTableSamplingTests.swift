import Color
import Frames
import Testing

@Suite struct LookupTableSamplingTests {
  private func exact(_ table: LookupTable) -> (SIMD3<Double>) -> SIMD3<Double> {
    { table.evaluate($0, interpolation: .tetrahedral) }
  }

  /// A table that bends in every cell.
  private static let look = Result { try LookupTable.make(from: .appleLog, to: .rec709, size: 17) }

  @Test func `twice the cells hold the same colours, fewer do not`() throws {
    let look = try Self.look.get()
    let larger = try look.resampled(size: 33)
    #expect(larger.lattice?.size == 33 && larger.title == look.title)
    #expect(larger.deviation(from: exact(look)) < 1e-6)
    #expect(try larger.resampled(size: 17).lattice?.samples == look.lattice?.samples)
    #expect(try look.resampled(size: 9).deviation(from: exact(look)) > 0.01)
  }

  @Test func `curves and a cube become one cube`() throws {
    let header = ["LUT_1D_SIZE 3", "LUT_3D_SIZE 5", "LUT_3D_INPUT_RANGE 0 2"]
    let table = try CubeText.read(CubeText.cube(header, rows: ["2 0 0", "1 1 0.5", "0 2 2"] + CubeText.rows()))
    #expect(table.naturalSize == 65)
    let one = try table.resampled(size: 65)
    #expect(one.curves == nil && one.lattice?.domainMax == .one)
    #expect(one.deviation(from: exact(table)) < 1e-6)
    #expect(one.lattice?.sample(0, 64, 32) == [1, 1, 0.25])
  }

  @Test func `domains and video ranges are folded in`() throws {
    let domain = try CubeText.read(CubeText.cube(["LUT_3D_SIZE 5", "DOMAIN_MIN 0.5 0.5 0.5", "DOMAIN_MAX 1.5 1.5 1.5"]))
    let half = try domain.resampled(size: 5)
    #expect(half.lattice?.sample(0, 2, 4) == [0, 0, 0.5])
    #expect(half.lattice?.domainMin == .zero)
    let video = try CubeText.read(CubeText.cube(["LUT_3D_SIZE 5", "LUT_OUT_VIDEO_RANGE"]))
    let full = try video.resampled(size: 5)
    #expect(!full.outputIsVideoRange && full.deviation(from: exact(video)) < 1e-6)
    #expect(abs((full.lattice?.sample(0, 0, 0).x ?? 0) + 64.0 / 876) < 1e-6)
  }

  @Test func `a table, then its opposite, is nothing`() throws {
    let inverse = try CubeText.read(["TITLE back", "LUT_1D_SIZE 2", "1 1 1", "0 0 0"])
    let both = try LookupTable.composed(inverse, inverse, size: 5)
    #expect(both.deviation { $0 } < 1e-6)
    #expect(both.title == "back, then back")
  }

  /// Evenly spread colours alone find 0.02 here, and eight million of them 0.0501.
  @Test func `the greatest difference is found where two tables are kinked`() throws {
    let displayP3 = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3)
    let look = try LookupTable.make(from: .appleLog, to: .rec709, size: 33)
    let srgb = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .rec709)
    let display = try LookupTable.make(from: srgb, to: displayP3, size: 17)
    let found = try LookupTable.composed(look, display, size: 33).deviation {
      display.evaluate(look.evaluate($0, interpolation: .tetrahedral), interpolation: .tetrahedral)
    }
    #expect(abs(found - 0.05687) < 1e-4, "\(found)")
  }

  @Test func `the first table comes first`() throws {
    let half = try CubeText.read(["LUT_1D_SIZE 2", "0 0 0", "0.5 0.5 0.5"])
    let flipped = try CubeText.read(["LUT_1D_SIZE 2", "1 1 1", "0 0 0"])
    let white = SIMD3<Double>.one
    let one = try LookupTable.composed(half, flipped, size: 2), other = try LookupTable.composed(flipped, half, size: 2)
    #expect(one.evaluate(white, interpolation: .tetrahedral) == [0.5, 0.5, 0.5])
    #expect(other.evaluate(white, interpolation: .tetrahedral) == .zero)
    #expect(one.title == nil)
  }

  @Test(arguments: [-1, 1, 257])
  func `sizes that no file has are refused`(size: Int) throws {
    let table = try CubeText.read(CubeText.cube())
    #expect(throws: CamrecError(.usage, "a LUT has 2 to 256 points per side, not \(size)")) {
      try table.resampled(size: size)
    }
  }
}
