import Color
import Frames
import TestKit

/// Pictures for tests, and frames that hold them.
extension PictureSamples {
  /// Codes of the whole depth at random, the same ones each time.
  static func random(_ width: Int, _ height: Int, _ layout: PixelLayout) -> PictureSamples {
    var random = SplitMix(seed: 8)
    var picture = flat(width, height, layout, [0, 0, 0])
    let codes = 0..<1 << layout.bitDepth
    for index in picture.luma.indices { picture.luma[index] = Int.random(in: codes, using: &random) }
    for index in picture.cb.indices {
      picture.cb[index] = Int.random(in: codes, using: &random)
      picture.cr[index] = Int.random(in: codes, using: &random)
    }
    return picture
  }

  /// Of one colour: Y', Cb, Cr.
  static func flat(_ width: Int, _ height: Int, _ layout: PixelLayout, _ codes: [Int]) -> PictureSamples {
    let chromaCount = layout.chroma.samples(width: width) * layout.chroma.rows(height: height)
    return PictureSamples(
      width: width, height: height, chroma: layout.chroma, luma: Array(repeating: codes[0], count: width * height),
      cb: Array(repeating: codes[1], count: chromaCount), cr: Array(repeating: codes[2], count: chromaCount))
  }

  /// A frame that holds the picture; all that is no sample of it has every bit set.
  func frame(_ layout: PixelLayout, _ color: ColorDescription) -> Frame {
    let format = FrameFormat(width: width, height: height, layout: layout, color: color)
    var frame = FramePool(format: format, capacity: 1).take()!
    for (plane, rows) in planes(layout).enumerated() {
      frame.withMutablePlane(plane) { bytes in
        // What is no sample must not count.
        bytes.initializeMemory(as: UInt8.self, repeating: 255)
        for (y, row) in rows.enumerated() {
          for (x, code) in row.enumerated() {
            let start = y * format.stride(plane: plane) + x * layout.bytesPerSample
            let word = code << layout.codeShift
            bytes[start] = UInt8(truncatingIfNeeded: word)
            if layout.bytesPerSample == 2 { bytes[start + 1] = UInt8(truncatingIfNeeded: word >> 8) }
          }
        }
      }
    }
    return frame
  }

  /// The codes of each row of each plane, in the order in which they lie in memory.
  private func planes(_ layout: PixelLayout) -> [[[Int]]] {
    func rows(_ codes: [Int], _ width: Int) -> [[Int]] {
      stride(from: 0, to: codes.count, by: width).map { Array(codes[$0..<$0 + width]) }
    }
    func alternating(_ first: [[Int]], _ second: [[Int]]) -> [[Int]] {
      zip(first, second).map { rows in zip(rows.0, rows.1).flatMap { [$0, $1] } }
    }
    let luma = rows(self.luma, width)
    let cb = rows(self.cb, chromaWidth)
    let cr = rows(self.cr, chromaWidth)
    // A packed row ends with a whole pair; what an odd width leaves over is white.
    let pairs = luma.map { $0 + Array(repeating: (1 << layout.bitDepth) - 1, count: width % 2) }
    switch layout {
    case .yuv420p, .yuv422p, .yuv420p10, .yuv422p10, .yuv444p, .yuv444p10: return [luma, cb, cr]
    case .yv12: return [luma, cr, cb]
    case .nv12, .p010, .p210: return [luma, alternating(cb, cr)]
    case .nv21: return [luma, alternating(cr, cb)]
    case .yuyv, .y210: return [alternating(pairs, alternating(cb, cr))]
    case .uyvy: return [alternating(alternating(cb, cr), pairs)]
    }
  }
}
