import Cameras
import Foundation
import Frames
import Kernels
import Monitor
import TestKit
import Testing

struct FrameMeasuresTests {
  /// Of the simulated camera.
  private static func frame(_ layout: PixelLayout, width: Int = 66, height: Int = 38) throws -> Frame {
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "physics=full"),
      request: CameraRequest(
        width: width, height: height, frameRate: FrameRate(parsing: "24"), pixelFormat: layout.rawValue),
      clock: SimulatedClock(pace: .pulled), frames: 2)
    try camera.start()
    while true {
      if case .frame(let captured) = try camera.next(), case .frame(let frame) = captured.takeImage() { return frame }
    }
  }

  /// As FFmpeg calls it; Cb and Cr may be exchanged.
  private static func pixelFormat(_ layout: PixelLayout) -> String {
    switch layout {
    case .nv12, .nv21, .yuv420p, .yuv422p, .yuv444p: layout.rawValue
    case .yv12: "yuv420p"
    case .yuyv, .uyvy: layout.rawValue + "422"
    case .p010, .p210, .y210, .yuv420p10, .yuv422p10, .yuv444p10: layout.rawValue + "le"
    }
  }

  @Test(arguments: PixelLayout.allCases.filter { $0.chroma != .yuv444 })
  func lumaIsTheCountOfTheRawBytesThatFFmpegWrites(layout: PixelLayout) throws {
    let frame = try Self.frame(layout), format = frame.format
    var bytes = Data()
    for plane in 0..<format.planeCount {
      let row = layout.rowBytes(plane: plane, width: format.width), stride = format.stride(plane: plane)
      frame.withPlane(plane) { memory in
        for y in 0..<layout.rows(plane: plane, height: format.height) {
          bytes.append(contentsOf: memory[y * stride..<y * stride + row])
        }
      }
    }
    let planes = (layout.chroma == .yuv420 ? "yuv420p" : "yuv422p") + (layout.bitDepth == 10 ? "10le" : "")
    let written = try Tool.run(
      [
        "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", Self.pixelFormat(layout), "-s",
        "\(format.width)x\(format.height)", "-i", "-", "-vf", "format=\(planes),extractplanes=y", "-f",
        "rawvideo", "-",
      ], input: bytes)
    var luma = [UInt32](repeating: 0, count: 1 << layout.bitDepth)
    for at in stride(from: 0, to: written.count, by: layout.bytesPerSample) {
      luma[Int(written[at]) | (layout.bytesPerSample == 2 ? Int(written[at + 1]) << 8 : 0)] += 1
    }
    #expect(try FrameMeasures(format).histogram(of: frame).luma == luma)
    #expect(luma.count { $0 > 0 } > 50, "a scene has many codes")
  }

  @Test func aHistogramStaysAsItIsWhenAnotherIsMade() throws {
    let frame = try Self.frame(.nv12)
    let measures = try FrameMeasures(frame.format)
    let first = measures.histogram(of: frame), kept = first.luma.map { $0 }
    let pool = FramePool(format: frame.format, capacity: 1)
    guard var black = pool.take() else { throw CamrecError(.defect, "there is no frame") }
    for (plane, code) in [(0, UInt8(16)), (1, 128)] {
      black.withMutablePlane(plane) { bytes in for at in bytes.indices { bytes[at] = code } }
    }
    let second = measures.histogram(of: black), pixels = UInt32(frame.format.width * frame.format.height)
    #expect(first.luma == kept)
    #expect(second.luma[16] == pixels)
    #expect([second.red[0], second.green[0], second.blue[0]] == [pixels, pixels, pixels])
    #expect(measures.histogram(of: frame) == first)
  }

  private static let isMeasured = ProcessInfo.processInfo.environment["CAMREC_MEASURE"] != nil

  /// Processor time of this thread, in ms: other programs do not count.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Prints what a histogram of the simulated scene costs: of luma alone, and of luma and R'G'B'.
  @Test(.enabled(if: FrameMeasuresTests.isMeasured)) func cost() throws {
    for (width, height) in [(1920, 1080), (3840, 2160)] {
      for layout in [PixelLayout.nv12, .yuyv, .p010] {
        let frame = try Self.frame(layout, width: width, height: height)
        for level in KernelLevel.supported {
          var counts = HistogramKernel.Counts(), costs: [String] = []
          for channels in HistogramKernel.Channels.allCases {
            let kernel = try HistogramKernel(frame.format, channels, level: level)
            var times: [Double] = []
            for _ in 0..<60 {
              let start = Self.processorTime
              kernel.count(frame, into: &counts)
              times.append(Self.processorTime - start)
            }
            times.sort()
            costs.append(String(format: "%.2f ms (least %.2f)", times[times.count / 2], times[0]))
          }
          print(
            "\(width)x\(height) \(layout.rawValue), \(level.rawValue): luma \(costs[0]), luma and RGB \(costs[1])")
        }
      }
    }
  }
}
