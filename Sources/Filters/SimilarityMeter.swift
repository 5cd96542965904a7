import CFilters
public import Frames

/// PSNR and SSIM of pairs of frames, measured with FFmpeg's `psnr` and `ssim` filters.
///
/// Converts a frame of another layout or range to the chroma, depth and range of the reference, with the same bits on
/// every machine.
///
/// Thread: one at a time. `@unchecked Sendable`: moved between threads, never shared.
public final class SimilarityMeter: @unchecked Sendable {
  public struct Similarity: Hashable, Sendable {
    /// In dB over all samples of all planes, in steps of 0.01; infinite for equal frames.
    public let psnr: Double
    /// Over all planes; 1 for equal frames.
    public let ssim: Double
  }

  private let reference: FrameFormat
  private let other: FrameFormat
  private var handle: OpaquePointer?

  /// - Parameters:
  ///   - reference: the format of the first frame of each pair.
  ///   - other: the format of the second one, of the same size.
  /// - Throws: code `usage` if the filters are not installed.
  public init(reference: FrameFormat, other: FrameFormat) throws(CamrecError) {
    self.reference = reference
    self.other = other
    do throws(FilterError) {
      try FilterError.check(
        cfl_similarity_open(
          &handle, Int32(reference.width), Int32(reference.height), reference.layout.filterName,
          reference.color.range == .full ? 1 : 0, other.layout.filterName, other.color.range == .full ? 1 : 0))
    } catch { throw error.told("the similarity of frames") }
  }

  deinit { cfl_similarity_close(handle) }

  /// - Precondition: the frames have the meter's layouts. Their ranges are the meter's, whatever they say themselves.
  /// - Throws: code `defect` if a filter fails.
  public func measure(_ picture: borrowing Frame, _ second: borrowing Frame) throws(CamrecError) -> Similarity {
    precondition(
      picture.format.layout == reference.layout && second.format.layout == other.layout,
      "frames have the meter's layouts")
    var first = SimilarityMeter.planes(of: picture)
    var others = SimilarityMeter.planes(of: second)
    var psnr = 0.0
    var ssim = 0.0
    do throws(FilterError) {
      try FilterError.check(cfl_similarity_measure(handle, &first, &others, &psnr, &ssim))
    } catch { throw error.told("the similarity of frames") }
    return Similarity(psnr: psnr, ssim: ssim)
  }

  /// Valid as long as the frame.
  private static func planes(of frame: borrowing Frame) -> cfl_picture {
    let format = frame.format
    // Cr comes first in `yv12` alone.
    let order = format.layout == .yv12 ? [0, 2, 1] : [0, 1, 2]
    func plane(_ index: Int) -> (UnsafePointer<UInt8>?, Int32) {
      guard index < format.planeCount else { return (nil, 0) }
      let pointer = frame.storage.pointer(plane: index).assumingMemoryBound(to: UInt8.self)
      return (UnsafePointer(pointer), Int32(format.stride(plane: index)))
    }
    let (luma, second, third) = (plane(order[0]), plane(order[1]), plane(order[2]))
    return cfl_picture(planes: (luma.0, second.0, third.0), strides: (luma.1, second.1, third.1))
  }
}
