import CameraV4L2
import Cameras
import Frames
import Testing

private func shape(_ code: String, _ width: Int, _ height: Int, _ rowBytes: [Int]) throws -> PictureShape {
  try PictureShape(
    .init(width: width, height: height, rowBytes: rowBytes), format: V4L2PixelFormat(code: FourCC(code)),
    color: .rec601, camera: "cam")
}

@Suite struct PictureShapeTests {
  @Test func packed_needsAllButTheLastRowsPadding() throws {
    let yuyv = try shape("YUYV", 10, 4, [32])
    #expect(yuyv.image == .raw(.yuyv))
    #expect(yuyv.frameFormat?.stride(plane: 0) == 32)
    #expect(yuyv.memory == PlaneBytes(128))
    #expect(yuyv.needed == PlaneBytes(116))
  }

  @Test func semiplanarInOneMemory_hasChromaRightBehindWithTheSameRow() throws {
    let nv12 = try shape("NV12", 14, 6, [16])
    #expect(nv12.planes.map(\.offset) == [0, 96])
    #expect(nv12.planes.map(\.memory) == [0, 0])
    #expect(nv12.frameFormat?.stride(plane: 1) == 16)
    #expect(nv12.memory == PlaneBytes(144))
    #expect(nv12.needed == PlaneBytes(142))
  }

  @Test(arguments: [("YU12", PixelLayout.yuv420p), ("YV12", .yv12)])
  func planarInOneMemory_hasChromaRowsOfHalfTheLuma(code: String, layout: PixelLayout) throws {
    let planar = try shape(code, 16, 4, [32])
    #expect(planar.image == .raw(layout))
    #expect(planar.planes.map(\.offset) == [0, 128, 160])
    #expect(planar.frameFormat?.stride(plane: 2) == 16)
    #expect(planar.memory == PlaneBytes(192))
  }

  @Test func planar422_hasAsManyChromaRowsAsLuma() throws {
    #expect(try shape("422P", 16, 4, [16]).planes.map(\.offset) == [0, 64, 96])
    #expect(try shape("422P", 16, 4, [16]).memory == PlaneBytes(128))
  }

  @Test func planesWithMemoryOfTheirOwn_keepTheirOwnRows() throws {
    let nm12 = try shape("NM12", 16, 4, [32, 64])
    #expect(nm12.planes.map(\.memory) == [0, 1])
    #expect(nm12.planes.map(\.offset) == [0, 0])
    #expect(nm12.frameFormat?.stride(plane: 0) == 32 && nm12.frameFormat?.stride(plane: 1) == 64)
    #expect(nm12.memory == PlaneBytes(128, 128))
    let ym16 = try shape("YM16", 16, 4, [16, 8, 8])
    #expect(ym16.memory == PlaneBytes(64, 32, 32))
  }

  @Test func tenBits_takeTwoBytes() throws {
    #expect(try shape("P010", 16, 4, [32]).memory == PlaneBytes(192))
  }

  @Test func driverThatNamesNoRow_hasUnpaddedRows() throws {
    #expect(try shape("UYVY", 10, 2, [0]).frameFormat?.stride(plane: 0) == 20)
  }

  @Test func encoded_keepsRowsWhereItHasThem() throws {
    #expect(try shape("RGB3", 10, 4, [32]).stride == 32)
    #expect(try shape("RGB3", 10, 4, [32]).image == .encoded(FourCC("RGB3")))
    #expect(try shape("MJPG", 10, 4, [0]).stride == 0)
    #expect(try shape("MJPG", 10, 4, [0]).needed == PlaneBytes(1))
  }

  @Test func rowsThatAreTooShort_areRefused() {
    let error = #expect(throws: CamrecError.self) { try shape("NV12", 64, 4, [60]) }
    #expect(
      error?.message
        == "cam sets rows of 60 bytes for plane 0 of nv12 at 64x4, which needs 64; choose another --size or "
        + "--pixel-format")
    // Half of an odd row cannot hold the chroma of an odd width.
    #expect(throws: CamrecError.self) { try shape("YU12", 17, 4, [17]) }
  }
}

@Suite struct SequenceCounterTests {
  @Test func count_beginsAtZeroAndKeepsGaps() {
    var counter = SequenceCounter()
    #expect([5, 6, 9, 10].map { counter.next($0) } == [0, 1, 4, 5])
  }

  @Test func count_goesOnAcrossTheWrap() {
    var counter = SequenceCounter()
    #expect([UInt32.max - 1, .max, 0, 3].map { counter.next($0) } == [0, 1, 2, 5])
  }

  @Test func countThatStandsOrJumpsBack_goesOnByOne() {
    var counter = SequenceCounter()
    #expect([0, 0, 0, 1, 100, 3, 4].map { counter.next($0) } == [0, 1, 2, 3, 102, 103, 104])
  }
}

@Suite struct RotationTests {
  @Test(arguments: [
    (0, Rotation.none), (90, .threeQuarters), (180, .half), (270, .quarter), (360, .none), (-90, .quarter), (45, .none),
  ] as [(Int64, Rotation)])
  func counterclockwiseCorrection_becomesAClockwiseTurn(degrees: Int64, expected: Rotation) {
    #expect(Rotation(counterclockwiseCorrection: degrees) == expected)
  }
}
