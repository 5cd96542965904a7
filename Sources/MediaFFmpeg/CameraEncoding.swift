import CFFmpeg
import Frames

/// The memory layout of a V4L2 pixel format that the bake does not read and that needs no decoder.
enum CameraEncoding {
  /// As in libav's `format`; with `swapsChroma` the two colour differences are exchanged.
  case libav(AVPixelFormat, swapsChroma: Bool)
  /// 8-bit 4:2:2 Y'CbCr, a plane of luma, then one of Cb and Cr in turn, or of Cr and Cb with `swapsChroma`.
  case semiplanar422(swapsChroma: Bool)
  /// 8-bit 4:4:4 Y'CbCr, `bytes` per pixel, with the index of each component in a pixel.
  case packed444(bytes: Int, y: Int, cb: Int, cr: Int)

  /// The codes are those of `linux/videodev2.h`.
  init?(_ code: FourCC) {
    switch code.description {
    case "RGB3": self = .libav(AV_PIX_FMT_RGB24, swapsChroma: false)
    case "BGR3": self = .libav(AV_PIX_FMT_BGR24, swapsChroma: false)
    case "RGBP": self = .libav(AV_PIX_FMT_RGB565LE, swapsChroma: false)
    case "RGBR": self = .libav(AV_PIX_FMT_RGB565BE, swapsChroma: false)
    case "RGBO", "XR15", "AR15": self = .libav(AV_PIX_FMT_RGB555LE, swapsChroma: false)
    case "RGBQ": self = .libav(AV_PIX_FMT_RGB555BE, swapsChroma: false)
    case "R444", "XR12", "AR12": self = .libav(AV_PIX_FMT_RGB444LE, swapsChroma: false)
    case "RGB4", "BX24", "BA24": self = .libav(AV_PIX_FMT_0RGB, swapsChroma: false)
    case "BGR4", "XR24", "AR24": self = .libav(AV_PIX_FMT_BGR0, swapsChroma: false)
    case "XB24", "AB24": self = .libav(AV_PIX_FMT_RGB0, swapsChroma: false)
    case "RX24", "RA24": self = .libav(AV_PIX_FMT_0BGR, swapsChroma: false)
    case "RGB1": self = .libav(AV_PIX_FMT_RGB8, swapsChroma: false)
    case "GREY": self = .libav(AV_PIX_FMT_GRAY8, swapsChroma: false)
    case "Y10": self = .libav(AV_PIX_FMT_GRAY10LE, swapsChroma: false)
    case "Y12": self = .libav(AV_PIX_FMT_GRAY12LE, swapsChroma: false)
    case "Y14": self = .libav(AV_PIX_FMT_GRAY14LE, swapsChroma: false)
    case "Y16": self = .libav(AV_PIX_FMT_GRAY16LE, swapsChroma: false)
    case "YVYU": self = .libav(AV_PIX_FMT_YVYU422, swapsChroma: false)
    case "VYUY": self = .libav(AV_PIX_FMT_UYVY422, swapsChroma: true)
    case "NV16": self = .semiplanar422(swapsChroma: false)
    case "NV61": self = .semiplanar422(swapsChroma: true)
    case "NV24": self = .libav(AV_PIX_FMT_NV24, swapsChroma: false)
    case "NV42": self = .libav(AV_PIX_FMT_NV42, swapsChroma: false)
    case "411P": self = .libav(AV_PIX_FMT_YUV411P, swapsChroma: false)
    case "YUV9": self = .libav(AV_PIX_FMT_YUV410P, swapsChroma: false)
    case "YVU9": self = .libav(AV_PIX_FMT_YUV410P, swapsChroma: true)
    case "YM16": self = .libav(AV_PIX_FMT_YUV422P, swapsChroma: false)
    case "YM61": self = .libav(AV_PIX_FMT_YUV422P, swapsChroma: true)
    case "YM24": self = .libav(AV_PIX_FMT_YUV444P, swapsChroma: false)
    case "YM42": self = .libav(AV_PIX_FMT_YUV444P, swapsChroma: true)
    case "YUV3": self = .packed444(bytes: 3, y: 0, cb: 1, cr: 2)
    case "YUV4", "AYUV", "XYUV": self = .packed444(bytes: 4, y: 1, cb: 2, cr: 3)
    case "VUYA", "VUYX": self = .packed444(bytes: 4, y: 2, cb: 1, cr: 0)
    case "YUVA", "YUVX": self = .packed444(bytes: 4, y: 0, cb: 1, cr: 2)
    default: return nil
    }
  }
}
