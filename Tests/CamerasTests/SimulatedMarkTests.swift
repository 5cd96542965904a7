import CameraTestKit
import Cameras
import Foundation
import Frames
import TestKit
import Testing

@Suite struct SimulatedMarkTests {
  @Test(arguments: [0, 1, 2, 0x8000_0000, 0xFFFF_FFFF, 0xDEAD_BEEF] as [UInt32], [false, true])
  func cellsReadBack(number: UInt32, flash: Bool) {
    let mark = SimulatedMark(number: number, flash: flash)
    #expect(SimulatedMark(cells: mark.cells) == mark)
  }

  @Test func aWrongCellIsNoticed() {
    let cells = SimulatedMark(number: 4711, flash: true).cells
    for cell in 0..<SimulatedMark.cellCount {
      #expect(SimulatedMark(cells: cells ^ 1 << UInt64(cell)) == nil, "cell \(cell)")
    }
  }

  @Test(arguments: [
    (320, 180), (640, 360), (1279, 719), (1920, 1080), (1080, 1920), (3840, 2160), (7680, 4320), (256, 256),
  ])
  func takesAtMostOnePercent(width: Int, height: Int) throws {
    let layout = try #require(SimulatedMarkLayout(width: width, height: height))
    #expect(layout.width * layout.height * 100 <= width * height)
    #expect(layout.width * layout.height * 200 >= width * height, "the marks use what they may")
    #expect(layout.width <= width && layout.width % 2 == 0 && layout.height % 2 == 0)
  }

  @Test func tinyPicturesCarryNone() {
    #expect(SimulatedMarkLayout(width: 318, height: 180) == nil)
    #expect(SimulatedMarkLayout(width: 64, height: 36) == nil)
  }

  @Test(arguments: ["24", "24000/1001", "30000/1001", "60", "1", "12.5", "240"])
  func flashesOnceASecond(rate: String) throws {
    let rate = try #require(FrameRate(parsing: rate))
    let flash = SimulatedFlash(frameRate: rate)
    let frames = (0..<UInt64(10 * rate.framesPerSecond)).filter(flash.isFlash)
    #expect(frames.count == (rate.framesPerSecond == 1 ? 9 : 10))
    for (index, frame) in frames.enumerated() {
      let late = Double(frame) / rate.framesPerSecond - (Double(index) + 0.5)
      #expect(late >= 0 && late < 1 / rate.framesPerSecond)
    }
  }

  /// Noise everywhere but in the marks.
  private func picture(width: Int, height: Int, _ mark: SimulatedMark) throws -> [UInt8] {
    let layout = try #require(SimulatedMarkLayout(width: width, height: height))
    var state: UInt64 = 88_172_645_463_325_252
    var luma = (0..<width * height).map { _ -> UInt8 in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(80 + state % 64)
    }
    for cell in 0..<SimulatedMark.cellCount {
      let level = mark.cells >> UInt64(cell) & 1 == 1 ? SimulatedMark.whiteLevel : SimulatedMark.blackLevel
      for y in 0..<layout.height {
        for x in layout.columns(ofCell: cell) { luma[y * width + x] = UInt8(16 + 219 * level) }
      }
    }
    return luma
  }

  @Test(arguments: Rotation.allCases)
  func readsTurnedPictures(rotation: Rotation) throws {
    let (width, height) = (320, 180)
    let mark = SimulatedMark(number: 123456, flash: true)
    let luma = try picture(width: width, height: height, mark)
    let transposed = rotation == .quarter || rotation == .threeQuarters
    let (shownWidth, shownHeight) = transposed ? (height, width) : (width, height)
    var shown = [UInt8](repeating: 0, count: luma.count)
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) =
          switch rotation {
          case .none: (x, y)
          case .quarter: (height - 1 - y, x)
          case .half: (width - 1 - x, height - 1 - y)
          case .threeQuarters: (y, width - 1 - x)
          }
        shown[v * shownWidth + u] = luma[y * width + x]
      }
    }
    let reading = shown.withUnsafeBytes { FrameNumberReader(width: shownWidth, height: shownHeight).read(luma: $0) }
    #expect(reading?.mark == mark && reading?.rotation == rotation)
  }

  @Test func readsNothingWhereNothingIs() {
    let flat = [UInt8](repeating: 128, count: 320 * 180)
    #expect(flat.withUnsafeBytes { FrameNumberReader(width: 320, height: 180).read(luma: $0) } == nil)
  }

  @Test(arguments: [(320, 180), (1280, 720)])
  func survivesHEVC(width: Int, height: Int) throws {
    let marks = (0..<12).map { SimulatedMark(number: 1_000_000 + $0 * 77, flash: $0 == 5) }
    var raw = Data()
    for mark in marks { raw.append(contentsOf: try picture(width: width, height: height, mark)) }
    let film = FileManager.default.temporaryDirectory.appendingPathComponent("marks-\(UUID().uuidString).mov").path
    defer { try? FileManager.default.removeItem(atPath: film) }
    try Tool.run(
      [
        "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "\(width)x\(height)", "-r", "24", "-i",
        "-",
      ]
        + ["-c:v", "libx265", "-preset", "ultrafast", "-crf", "28", "-x265-params", "log-level=error"]
        + ["-pix_fmt", "yuv420p", "-tag:v", "hvc1", film],
      input: raw)
    let read = try RecordedFilm(path: film)
    #expect(read.pictures.map(\.mark) == marks)
    #expect(read.flashTimes == [5.0 / 24].map { ($0 * 1e6).rounded() / 1e6 })
    #expect(read.packetCount == 12 && read.rotation == Rotation.none && read.toneOnsets.isEmpty)
  }
}
