import CFFmpeg
import Frames

extension PixelLayout {
  /// The layout whose samples lie in memory as in `format`; `nil` if there is none.
  init?(_ format: AVPixelFormat) {
    switch format {
    case AV_PIX_FMT_NV12: self = .nv12
    case AV_PIX_FMT_NV21: self = .nv21
    case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: self = .yuv420p
    case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: self = .yuv422p
    case AV_PIX_FMT_YUYV422: self = .yuyv
    case AV_PIX_FMT_UYVY422: self = .uyvy
    case AV_PIX_FMT_P010LE: self = .p010
    case AV_PIX_FMT_P210LE: self = .p210
    case AV_PIX_FMT_Y210LE: self = .y210
    case AV_PIX_FMT_YUV420P10LE: self = .yuv420p10
    case AV_PIX_FMT_YUV422P10LE: self = .yuv422p10
    case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: self = .yuv444p
    case AV_PIX_FMT_YUV444P10LE: self = .yuv444p10
    default: return nil
    }
  }

  /// The layout of the bake that loses least of `format`: its own, otherwise a planar one of 8 bits, or of 10 if it has
  /// more; 4:2:0 for 4:2:0, and 4:2:2 for everything else.
  ///
  /// - Parameter keepsFullChroma: chooses 4:4:4 for formats with chroma for each pixel, R'G'B' included.
  init(nearest format: AVPixelFormat, keepsFullChroma: Bool) {
    if let own = PixelLayout(format), keepsFullChroma || own.chroma != .yuv444 {
      self = own
      return
    }
    let isDeep = format.bitDepth > 8
    if format.chromaShifts == (1, 1) {
      self = isDeep ? .yuv420p10 : .yuv420p
    } else if keepsFullChroma, format.chromaShifts == (0, 0), !format.isGray {
      self = isDeep ? .yuv444p10 : .yuv444p
    } else {
      self = isDeep ? .yuv422p10 : .yuv422p
    }
  }

  /// The format of the same samples with its planes in the same order. (`yv12` is `yuv420p` with its chroma exchanged.)
  var libavFormat: AVPixelFormat {
    switch self {
    case .nv12: AV_PIX_FMT_NV12
    case .nv21: AV_PIX_FMT_NV21
    case .yuv420p, .yv12: AV_PIX_FMT_YUV420P
    case .yuyv: AV_PIX_FMT_YUYV422
    case .uyvy: AV_PIX_FMT_UYVY422
    case .yuv422p: AV_PIX_FMT_YUV422P
    case .p010: AV_PIX_FMT_P010LE
    case .p210: AV_PIX_FMT_P210LE
    case .y210: AV_PIX_FMT_Y210LE
    case .yuv420p10: AV_PIX_FMT_YUV420P10LE
    case .yuv422p10: AV_PIX_FMT_YUV422P10LE
    case .yuv444p: AV_PIX_FMT_YUV444P
    case .yuv444p10: AV_PIX_FMT_YUV444P10LE
    }
  }
}

extension AVPixelFormat {
  private var descriptor: AVPixFmtDescriptor { av_pix_fmt_desc_get(self)?.pointee ?? AVPixFmtDescriptor() }

  /// Bits of the deepest component.
  var bitDepth: Int {
    let components = descriptor.comp
    return Int(max(components.0.depth, components.1.depth, components.2.depth))
  }

  var hasAlpha: Bool { descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 }

  /// How often chroma is halved horizontally and vertically.
  var chromaShifts: (UInt8, UInt8) { (descriptor.log2_chroma_w, descriptor.log2_chroma_h) }

  /// R'G'B' in any order, palettes and Bayer patterns included.
  var isRGB: Bool { descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER) != 0 }
  var isGray: Bool { descriptor.nb_components < 3 && !isRGB }

  /// The formats that say "full range" by their name.
  var isFullRangeByName: Bool {
    switch self {
    case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P: true
    default: false
    }
  }

  var name: String { av_get_pix_fmt_name(self).map { String(cString: $0) } ?? "unknown" }
}
