import Filters
import Foundation
import Frames
import TestKit
import Testing

@Suite struct SimilarityMeterTests {
  private static let width = 66, height = 50

  private func format(_ layout: PixelLayout, range: ColorRange = .limited) -> FrameFormat {
    var color = ColorDescription.rec709
    color.range = range
    return FrameFormat(width: Self.width, height: Self.height, layout: layout, color: color)
  }

  /// A picture of samples that follow from their places; `noise` moves every seventh by one code.
  private func picture(_ layout: PixelLayout, noise: Bool = false) -> Frame {
    let format = format(layout)
    var frame = FramePool(format: format, capacity: 1).take()!
    for plane in 0..<format.planeCount {
      let wide = layout.bitDepth > 8
      frame.withMutablePlane(plane) { bytes in
        for index in 0..<(bytes.count / (wide ? 2 : 1)) {
          var code = (index * 7 + plane * 31) % 200 + 20
          if noise, index % 7 == 0 { code += 1 }
          if wide {
            bytes.storeBytes(of: UInt16(code << layout.codeShift), toByteOffset: 2 * index, as: UInt16.self)
          } else {
            bytes[index] = UInt8(code)
          }
        }
      }
    }
    return frame
  }

  @Test(arguments: PixelLayout.allCases) func equalPicturesAreEqual(layout: PixelLayout) throws {
    let meter = try SimilarityMeter(reference: format(layout), other: format(layout))
    for _ in 0..<3 {
      let found = try meter.measure(picture(layout), picture(layout))
      #expect(found.psnr == .infinity && found.ssim == 1)
    }
    let other = try meter.measure(picture(layout), picture(layout, noise: true))
    #expect(other.psnr > 45 && other.psnr < 75 && other.ssim < 1 && other.ssim > 0.9, "\(other)")
  }

  /// The same samples in another order are equal.
  @Test func layoutsOfTheSameSamplesAreEqual() throws {
    var first = picture(.yuv420p)
    var second = FramePool(format: format(.yv12), capacity: 1).take()!
    for (plane, other) in [(0, 0), (1, 2), (2, 1)] {
      first.withMutablePlane(plane) { source in
        second.withMutablePlane(other) { $0.copyMemory(from: UnsafeRawBufferPointer(source)) }
      }
    }
    let found = try SimilarityMeter(reference: format(.yuv420p), other: format(.yv12)).measure(first, second)
    #expect(found.psnr == .infinity && found.ssim == 1)
  }

  /// White is white in both ranges, and FFmpeg 5 converts it to within three codes of 10 bits.
  @Test(arguments: [PixelLayout.yuv420p, .nv12, .yuv422p10, .p210])
  func rangesAreConverted(layout: PixelLayout) throws {
    func white(_ range: ColorRange) -> Frame {
      let format = format(layout, range: range)
      let depth = layout.bitDepth
      let luma = range == .full ? (1 << depth) - 1 : 235 << (depth - 8)
      var frame = FramePool(format: format, capacity: 1).take()!
      for plane in 0..<format.planeCount {
        let code = plane == 0 ? luma : 128 << (depth - 8)
        frame.withMutablePlane(plane) { bytes in
          for index in 0..<(bytes.count / (depth > 8 ? 2 : 1)) {
            if depth > 8 {
              bytes.storeBytes(of: UInt16(code << layout.codeShift), toByteOffset: 2 * index, as: UInt16.self)
            } else {
              bytes[index] = UInt8(code)
            }
          }
        }
      }
      return frame
    }
    for (first, second) in [(ColorRange.limited, ColorRange.full), (.full, .limited)] {
      let meter = try SimilarityMeter(reference: format(layout, range: first), other: format(layout, range: second))
      let found = try meter.measure(white(first), white(second))
      #expect(found.psnr > 48 && found.ssim > 0.999, "\(first) \(second) \(found)")
    }
  }

  /// White of 8 bits is white of 10 bits.
  @Test func fullRangeStaysFullBetweenDepths() throws {
    func white(_ layout: PixelLayout) -> Frame {
      let format = format(layout, range: .full), depth = layout.bitDepth
      var frame = FramePool(format: format, capacity: 1).take()!
      for plane in 0..<format.planeCount {
        let code = plane == 0 ? (1 << depth) - 1 : 128 << (depth - 8)
        frame.withMutablePlane(plane) { bytes in
          for index in 0..<(bytes.count / (depth > 8 ? 2 : 1)) {
            if depth > 8 {
              bytes.storeBytes(of: UInt16(code), toByteOffset: 2 * index, as: UInt16.self)
            } else {
              bytes[index] = UInt8(code)
            }
          }
        }
      }
      return frame
    }
    for (first, second) in [(PixelLayout.yuv420p10, PixelLayout.yuv420p), (.yuv420p, .yuv420p10)] {
      let meter = try SimilarityMeter(reference: format(first, range: .full), other: format(second, range: .full))
      let found = try meter.measure(white(first), white(second))
      #expect(found.psnr > 60, "\(first) \(second) \(found)")
    }
  }

  /// What `ffmpeg` says of the same pictures.
  @Test(arguments: [
    (PixelLayout.yuv420p, "yuv420p"), (.yuv422p10, "yuv422p10le"), (.yuv444p, "yuv444p"), (.yuv444p10, "yuv444p10le"),
  ])
  func measuresAreThoseOfFFmpeg(layout: PixelLayout, name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-filters-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    for (file, noise) in [("a", false), ("b", true)] {
      let picture = picture(layout, noise: noise)
      var bytes = Data()
      for plane in 0..<3 {
        let row = picture.format.layout.rowBytes(plane: plane, width: Self.width)
        let stride = picture.format.stride(plane: plane)
        let rows = picture.format.layout.rows(plane: plane, height: Self.height)
        picture.withPlane(plane) { samples in
          for y in 0..<rows { bytes.append(contentsOf: samples[(y * stride)..<(y * stride + row)]) }
        }
      }
      try bytes.write(to: URL(fileURLWithPath: path("\(file).yuv")))
    }
    let input = "-f rawvideo -pix_fmt \(name) -s \(Self.width)x\(Self.height)".split(separator: " ").map(String.init)
    let (a, b) = (path("a.yuv"), path("b.yuv"))
    for filter in ["psnr", "ssim"] {
      try Tool.run(
        ["ffmpeg", "-v", "error"] + input + ["-i", b] + input + [
          "-i", a, "-lavfi", "\(filter)=stats_file=\(path(filter))", "-f", "null", "-",
        ])
    }
    let found = try SimilarityMeter(reference: format(layout), other: format(layout)).measure(
      picture(layout), picture(layout, noise: true))
    let psnr = try String(contentsOfFile: path("psnr"), encoding: .utf8)
    let ssim = try String(contentsOfFile: path("ssim"), encoding: .utf8)
    #expect(psnr.contains("psnr_avg:\(String(format: "%.2f", found.psnr)) "), "\(psnr) \(found)")
    #expect(ssim.contains("All:\(String(format: "%.6f", found.ssim)) "), "\(ssim) \(found)")
  }
}
