import CV4L2
package import Frames

/// The colour description of frames as V4L2 states it in four fields.
///
/// If a field says DEFAULT, V4L2's own rules apply (the V4L2_MAP_…_DEFAULT macros of linux/videodev2.h; chapter
/// "Colorspaces" of the kernel's media documentation). Values that `ColorDescription` lacks become `unspecified`.
package struct V4L2Color: Hashable, Sendable {
  package var colorspace: UInt32
  package var encoding: UInt32
  package var quantization: UInt32
  package var transfer: UInt32

  package init(colorspace: UInt32 = 0, encoding: UInt32 = 0, quantization: UInt32 = 0, transfer: UInt32 = 0) {
    self.colorspace = colorspace
    self.encoding = encoding
    self.quantization = quantization
    self.transfer = transfer
  }

  /// Transfer function and primaries are unknown.
  package var isUnknown: Bool { colorspace == DEFAULT && transfer == DEFAULT }

  /// The description of frames in `format`.
  ///
  /// A camera that names no colour space means sRGB. JPEG frames are full range and BT.601 by JFIF, even if a driver
  /// such as uvcvideo labels them sRGB with default quantization.
  package func description(of format: V4L2PixelFormat) -> ColorDescription {
    let space = colorspace == DEFAULT ? V4L2_COLORSPACE_SRGB.rawValue : colorspace
    return ColorDescription(
      matrix: matrix(space), range: range(space, format), transfer: transfer(space), primaries: primaries(space))
  }

  private func matrix(_ space: UInt32) -> ColorMatrix {
    let byDefault =
      switch v4l2_colorspace(space) {
      case V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_DCI_P3: V4L2_YCBCR_ENC_709
      case V4L2_COLORSPACE_BT2020: V4L2_YCBCR_ENC_BT2020
      case V4L2_COLORSPACE_SMPTE240M: V4L2_YCBCR_ENC_SMPTE240M
      default: V4L2_YCBCR_ENC_601
      }
    switch encoding == DEFAULT ? byDefault : v4l2_ycbcr_encoding(encoding) {
    // SMPTE 240M's luma (0.212, 0.701, 0.087) is nearest to BT.709's.
    case V4L2_YCBCR_ENC_709, V4L2_YCBCR_ENC_XV709, V4L2_YCBCR_ENC_SMPTE240M: return .rec709
    case V4L2_YCBCR_ENC_BT2020, V4L2_YCBCR_ENC_BT2020_CONST_LUM: return .rec2020
    default: return .rec601
    }
  }

  private func range(_ space: UInt32, _ format: V4L2PixelFormat) -> ColorRange {
    switch v4l2_quantization(quantization) {
    case V4L2_QUANTIZATION_FULL_RANGE: return .full
    case V4L2_QUANTIZATION_LIM_RANGE: return .limited
    default: return format.isRGB || format.isJPEG || space == V4L2_COLORSPACE_JPEG.rawValue ? .full : .limited
    }
  }

  private func transfer(_ space: UInt32) -> TransferCharacteristic {
    let byDefault =
      switch v4l2_colorspace(space) {
      case V4L2_COLORSPACE_OPRGB: V4L2_XFER_FUNC_OPRGB
      case V4L2_COLORSPACE_SMPTE240M: V4L2_XFER_FUNC_SMPTE240M
      case V4L2_COLORSPACE_DCI_P3: V4L2_XFER_FUNC_DCI_P3
      case V4L2_COLORSPACE_RAW: V4L2_XFER_FUNC_NONE
      case V4L2_COLORSPACE_SRGB, V4L2_COLORSPACE_JPEG: V4L2_XFER_FUNC_SRGB
      default: V4L2_XFER_FUNC_709
      }
    switch transfer == DEFAULT ? byDefault : v4l2_xfer_func(transfer) {
    // SMPTE 240M's curve lies within 0.02 of BT.709's.
    case V4L2_XFER_FUNC_709, V4L2_XFER_FUNC_SMPTE240M: return .rec709
    case V4L2_XFER_FUNC_SRGB: return .srgb
    case V4L2_XFER_FUNC_NONE: return .linear
    case V4L2_XFER_FUNC_SMPTE2084: return .pq
    default: return .unspecified
    }
  }

  private func primaries(_ space: UInt32) -> ColorPrimaries {
    switch v4l2_colorspace(space) {
    case V4L2_COLORSPACE_SMPTE170M, V4L2_COLORSPACE_SMPTE240M: .smpte170m
    case V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_SRGB, V4L2_COLORSPACE_JPEG: .rec709
    case V4L2_COLORSPACE_470_SYSTEM_BG: .bt470bg
    case V4L2_COLORSPACE_BT2020: .rec2020
    default: .unspecified
    }
  }
}

/// The value of V4L2_COLORSPACE_DEFAULT, V4L2_YCBCR_ENC_DEFAULT, V4L2_QUANTIZATION_DEFAULT and V4L2_XFER_FUNC_DEFAULT.
private let DEFAULT: UInt32 = 0
