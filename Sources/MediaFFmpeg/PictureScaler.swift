import CFFmpeg
import Frames
import Glibc

/// Converts pictures of one libav pixel format to a layout of the bake, with the same bits on every machine (swscale's
/// bit-exact paths with accurate rounding).
///
/// Y'CbCr keeps its matrix and range: only chroma resolution and bit depth change. R'G'B' (always full range) becomes
/// Y'CbCr with the requested matrix and range.
///
/// Thread: one at a time.
final class PictureScaler {
  private let context: OpaquePointer

  init(
    from source: AVPixelFormat, to target: AVPixelFormat, width: Int, height: Int, color: ColorDescription
  ) throws(LibavError) {
    let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT
    guard
      let context = sws_getContext(
        Int32(width), Int32(height), source, Int32(width), Int32(height), target, flags, nil, nil, nil)
    else { throw LibavError(function: "sws_getContext", code: CFFmpeg_error(ENOTSUP)) }
    self.context = context
    let matrix: Int32 =
      switch color.matrix {
      case .rec601: SWS_CS_ITU601
      case .rec709: SWS_CS_ITU709
      case .rec2020: SWS_CS_BT2020
      }
    let range: Int32 = color.range == .full ? 1 : 0
    try LibavCall.check(
      CFFmpeg_setScaleColors(context, matrix, source.isRGB ? 1 : range, matrix, range), "sws_setColorspaceDetails")
  }

  deinit { sws_freeContext(context) }

  /// Fills `target`, which has memory, with the picture of `source`.
  func convert(_ source: UnsafePointer<AVFrame>, into target: UnsafeMutablePointer<AVFrame>) throws(LibavError) {
    try LibavCall.check(CFFmpeg_scale(context, source, target), "sws_scale")
  }
}
