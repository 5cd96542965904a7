import Frames
import Goldens
import Testing

@Suite struct PixelDifferenceTests {
  private func bytes(_ layout: PixelLayout, width: Int, height: Int) -> Int {
    (0..<layout.planeCount).reduce(0) {
      $0 + layout.rowBytes(plane: $1, width: width) * layout.rows(plane: $1, height: height)
    }
  }

  /// Width 5, height 3: chroma of 3x2 in 4:2:0, of 3x3 in 4:2:2.
  @Test func theFirstSampleIsNamed() {
    let first = [UInt8](repeating: 7, count: bytes(.yuv420p, width: 5, height: 3))
    #expect(PixelDifference(first, first, layout: .yuv420p, width: 5, height: 3) == nil)
    func sentence(_ place: Int, _ layout: PixelLayout = .yuv420p) -> String? {
      let first = [UInt8](repeating: 7, count: bytes(layout, width: 5, height: 3))
      var second = first
      second[place] = 9
      return PixelDifference(first, second, layout: layout, width: 5, height: 3)?.sentence
    }
    #expect(sentence(0) == "luma at (0, 0) is 9, not 7")
    #expect(sentence(14) == "luma at (4, 2) is 9, not 7")
    #expect(sentence(15) == "Cb at (0, 0) is 9, not 7")
    #expect(sentence(15 + 6 + 5) == "Cr at (2, 1) is 9, not 7")
    // Two bytes a sample, the lower one first.
    #expect(sentence(2 * 6 + 1, .yuv422p10) == "luma at (1, 1) is \(9 << 8 | 7), not \(7 << 8 | 7)")
    #expect(sentence(30 + 18 + 2, .yuv422p10) == "Cr at (1, 0) is \(7 << 8 | 9), not \(7 << 8 | 7)")
  }
}
