import CFFmpeg
import Frames

extension PixelLayout {
  /// libavutil's name for the same memory; `nil` where it has none (YV12 is 4:2:0 with its chroma planes exchanged).
  var libavFormat: AVPixelFormat? {
    switch self {
    case .nv12: AV_PIX_FMT_NV12
    case .nv21: AV_PIX_FMT_NV21
    case .yuv420p: AV_PIX_FMT_YUV420P
    case .yv12: nil
    case .yuyv: AV_PIX_FMT_YUYV422
    case .uyvy: AV_PIX_FMT_UYVY422
    case .yuv422p: AV_PIX_FMT_YUV422P
    case .p010: AV_PIX_FMT_P010LE
    case .p210: AV_PIX_FMT_P210LE
    case .yuv420p10: AV_PIX_FMT_YUV420P10LE
    case .yuv422p10: AV_PIX_FMT_YUV422P10LE
    }
  }
}
