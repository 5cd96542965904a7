import Frames
import Testing

struct FramePoolTests {
  static func format(_ layout: PixelLayout, _ width: Int, _ height: Int, strides: [Int]? = nil) -> FrameFormat {
    FrameFormat(width: width, height: height, layout: layout, color: .rec709, strides: strides)
  }

  @Test func lendsEachFrameOnceAndTakesItBackAtItsEnd() {
    let pool = FramePool(format: Self.format(.nv12, 64, 36), capacity: 2)
    do {
      let first = pool.take(), second = pool.take(), third = pool.take()
      let lent = [first != nil, second != nil, third != nil]
      #expect(lent == [true, true, false])
      #expect(pool.available == 0)
      _ = consume first
      _ = consume second
    }
    #expect(pool.available == 2)
  }

  @Test func aFrameKeepsItsMemoryAfterItsPoolIsLetGo() {
    var pool: FramePool? = FramePool(format: Self.format(.yuv420p, 16, 16), capacity: 1)
    var frame = pool?.take()
    pool = nil
    frame?.withMutablePlane(2) { $0.initializeMemory(as: UInt8.self, repeating: 7); return }
    let kept = frame?.withPlane(2) { $0.count == 8 * 64 && $0.allSatisfy { $0 == 7 } }
    #expect(kept == true)
  }

  @Test(arguments: PixelLayout.allCases) func oddSizesRoundChromaUp(layout: PixelLayout) {
    let format = Self.format(layout, 7, 5)
    #expect(format.planeCount == layout.planeCount)
    for plane in 0..<format.planeCount {
      #expect(format.stride(plane: plane) % 64 == 0)
      #expect(format.stride(plane: plane) >= layout.rowBytes(plane: plane, width: 7))
    }
    if layout.planeCount > 1 {
      #expect(layout.rows(plane: 1, height: 5) == (layout.chroma == .yuv420 ? 3 : 5))
      let chroma = (layout.chroma == .yuv444 ? 7 : 4) * (layout.planeCount == 2 ? 2 : 1)
      #expect(layout.rowBytes(plane: 1, width: 7) == chroma * layout.bytesPerSample)
    }
    #expect(layout.rowBytes(plane: 0, width: 7) == (layout.planeCount == 1 ? 16 : 7) * layout.bytesPerSample)
  }

  @Test func givenStridesAreKept() {
    let format = Self.format(.nv12, 10, 4, strides: [12, 20])
    #expect(format.planeBytes(0) == 48 && format.planeBytes(1) == 40 && format.byteCount == 88)
  }
}
