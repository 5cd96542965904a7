import Color
import Filters
import Foundation
package import Frames
package import Goldens

/// PSNR, SSIM and ΔE2000 of pairs of frames.
///
/// Thread: one at a time.
package struct PictureMeter {
  /// The second frame of each pair has the range of the first, whatever it says itself.
  private let sharesRange: Bool
  private var similarity: (first: Samples, second: Samples, meter: SimilarityMeter)?

  /// What a meter depends on.
  private struct Samples: Equatable {
    let layout: PixelLayout
    let range: ColorRange

    init(_ format: FrameFormat) { (layout, range) = (format.layout, format.color.range) }
  }

  package init(sharesRange: Bool = false) { self.sharesRange = sharesRange }

  /// - Precondition: the frames have the same size.
  /// - Throws: code `usage` if FFmpeg's filters are not installed.
  package mutating func measure(
    _ picture: borrowing Frame, _ other: borrowing Frame
  ) throws(CamrecError) -> FrameQuality {
    let first = picture.format
    var second = other.format
    if sharesRange { second.color.range = first.color.range }
    if first.layout == second.layout, first.color == second.color, picture.hasSamples(of: other) { return .equal }
    let samples = (first: Samples(first), second: Samples(second))
    if similarity?.first != samples.first || similarity?.second != samples.second {
      similarity = (samples.first, samples.second, try SimilarityMeter(reference: first, other: second))
    }
    guard let meter = similarity?.meter else { throw CamrecError(.defect, "frames cannot be measured") }
    let alike = try meter.measure(picture, other)
    guard let difference = BlockColors(picture).differences(to: BlockColors(other, range: second.color.range)) else {
      throw CamrecError(.defect, "frames of two sizes cannot be measured")
    }
    return FrameQuality(psnr: alike.psnr, ssim: alike.ssim, deltaE: difference.mean)
  }
}

extension Frame {
  /// Whether all samples are the same.
  ///
  /// - Precondition: the frames have the same size and layout.
  fileprivate borrowing func hasSamples(of other: borrowing Frame) -> Bool {
    for plane in 0..<format.planeCount {
      let row = format.layout.rowBytes(plane: plane, width: format.width)
      let (stride, otherStride) = (format.stride(plane: plane), other.format.stride(plane: plane))
      for y in 0..<format.layout.rows(plane: plane, height: format.height) {
        let isEqual = unsafe withPlane(plane) { first in
          unsafe other.withPlane(plane) { second in
            guard let first = first.baseAddress, let second = second.baseAddress else { return false }
            return unsafe memcmp(first + y * stride, second + y * otherStride, row) == 0
          }
        }
        if !isEqual { return false }
      }
    }
    return true
  }
}
