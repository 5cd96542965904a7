import Color
import Foundation
import Frames
import Monitor
import TestKit
import Testing

/// What a picture costs without its encoding, beside libswscale in the same run.
struct PictureCostTests {
  private static let isMeasured = ProcessInfo.processInfo.environment["CAMREC_MEASURE"] != nil

  private static let pq = ColorDescription(matrix: .rec2020, range: .limited, transfer: .pq, primaries: .rec2020)

  private struct Case {
    let size: (Int, Int)
    let layout: PixelLayout
    var color = ColorDescription.rec709
    var width: Int?
    var rotation = Rotation.none
  }

  private static let cases: [Case] = [
    Case(size: (1920, 1080), layout: .yuv420p, width: 960), Case(size: (1920, 1080), layout: .nv12, width: 960),
    Case(size: (1920, 1080), layout: .yuyv, width: 960), Case(size: (1920, 1080), layout: .p010, width: 960),
    Case(size: (1920, 1080), layout: .nv12, width: 540, rotation: .quarter),
    Case(size: (1920, 1080), layout: .nv12, width: 1280), Case(size: (1920, 1080), layout: .nv12),
    Case(size: (1920, 1080), layout: .nv12, color: pq, width: 960),
    Case(size: (3840, 2160), layout: .nv12, width: 960), Case(size: (3840, 2160), layout: .p010, width: 960),
    Case(size: (3840, 2160), layout: .nv12),
  ]

  /// Prints milliseconds of processor time of a picture in one thread: medians.
  @Test(.enabled(if: PictureCostTests.isMeasured)) func cost() throws {
    for one in Self.cases {
      let (width, height) = one.size
      let format = FrameFormat(width: width, height: height, layout: one.layout, color: one.color)
      let maker = try PictureMaker(format, .init(width: one.width, rotation: one.rotation, isGraded: true), frames: 1)
      // Several frames in turn, as those of a tap are: none of them is in the cache.
      var random = SplitMix(seed: 1)
      let sources = (0..<4).map { _ in TappedBytes(Self.noise(format.byteCount, using: &random), format) }
      var costs: [Double] = []
      for number in 0..<101 {
        let start = Self.processorTime
        _ = try maker.jpegFrame(of: sources[number % 4].lend())
        costs.append(Self.processorTime - start)
      }
      let own = String(format: "%.2f", costs.sorted()[50])
      print(
        "\(width)x\(height) \(one.layout.rawValue), \(one.color.transfer.rawValue), \(one.rotation.rawValue)° to "
          + "\(maker.width)x\(maker.height): \(own) ms")
    }
    for (width, height) in [(1920, 1080), (3840, 2160)] {
      let scale = "scale=960:540:flags=area"
      let colors = "in_color_matrix=bt709:out_color_matrix=bt601:in_range=tv:out_range=pc"
      let nothing = try Self.ffmpeg(width, height, "null")
      let plain = try Self.ffmpeg(width, height, "\(scale),format=yuv420p") - nothing
      let converted = try Self.ffmpeg(width, height, "\(scale):\(colors),format=yuv420p") - nothing
      print(
        String(
          format: "libswscale, %dx%d nv12 to 960x540: %.2f ms, and %.2f ms with colours", width, height, plain,
          converted))
    }
  }

  private static func noise(_ count: Int, using random: inout SplitMix) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { bytes in
      for at in stride(from: 0, to: count - 7, by: 8) {
        bytes.storeBytes(of: random.next(), toByteOffset: at, as: UInt64.self)
      }
    }
    return bytes
  }

  /// Of this thread, in milliseconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Milliseconds of processor time that FFmpeg takes for a frame with a filter.
  private static func ffmpeg(_ width: Int, _ height: Int, _ filter: String) throws -> Double {
    let count = 200
    let command =
      "exec ffmpeg -nostdin -benchmark -filter_threads 1 -f lavfi -i nullsrc=s=\(width)x\(height),format=nv12 "
      + "-frames:v \(count) -vf \(filter) -f null - 2>&1"
    let told = String(decoding: try Tool.run(["sh", "-c", command]), as: UTF8.self)
    let user = try #require(told.firstMatch(of: /utime=([0-9.]+)s/)?.1)
    return try #require(Double(user)) * 1000 / Double(count)
  }
}
