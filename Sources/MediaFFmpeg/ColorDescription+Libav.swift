import CFFmpeg
import Frames

extension ColorDescription {
  /// From the tags of a decoded picture. Missing tags count as BT.601 below 720 lines, and as BT.709 from 720 lines on.
  ///
  /// R'G'B' pictures are described as what `PictureScaler` converts them to: BT.709 Y'CbCr, limited range.
  init(tagsOf picture: AVFrame) {
    let format = AVPixelFormat(picture.format)
    let isUntagged = picture.color_range == AVCOL_RANGE_UNSPECIFIED
    let isFull = picture.color_range == AVCOL_RANGE_JPEG || format.isFullRangeByName || (format.isGray && isUntagged)
    let matrix = format.isRGB ? .rec709 : ColorMatrix(picture.colorspace) ?? (picture.height < 720 ? .rec601 : .rec709)
    self.init(
      matrix: matrix, range: isFull && !format.isRGB ? .full : .limited,
      transfer: TransferCharacteristic(picture.color_trc, matrix: matrix),
      primaries: ColorPrimaries(picture.color_primaries, matrix: matrix))
  }
}

/// The numbers are those of ITU-T H.273, tables 2 to 4.
extension ColorMatrix {
  init?(_ space: AVColorSpace) {
    switch space {
    case AVCOL_SPC_BT709: self = .rec709
    case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: self = .rec601
    case AVCOL_SPC_BT2020_NCL: self = .rec2020
    default: return nil
    }
  }
}

extension TransferCharacteristic {
  /// An untagged transfer function counts as BT.709's, except with BT.2020, where cameras leave out the tag for their
  /// log curves.
  init(_ transfer: AVColorTransferCharacteristic, matrix: ColorMatrix) {
    switch transfer {
    case AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M, AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12: self = .rec709
    case AVCOL_TRC_IEC61966_2_1: self = .srgb
    case AVCOL_TRC_LINEAR: self = .linear
    case AVCOL_TRC_SMPTE2084: self = .pq
    case AVCOL_TRC_ARIB_STD_B67: self = .hlg
    case AVCOL_TRC_UNSPECIFIED: self = matrix == .rec2020 ? .unspecified : .rec709
    default: self = .unspecified
    }
  }
}

extension ColorPrimaries {
  init(_ primaries: AVColorPrimaries, matrix: ColorMatrix) {
    switch primaries {
    case AVCOL_PRI_BT709: self = .rec709
    case AVCOL_PRI_BT470BG: self = .bt470bg
    case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: self = .smpte170m
    case AVCOL_PRI_BT2020: self = .rec2020
    case AVCOL_PRI_SMPTE432: self = .displayP3
    case AVCOL_PRI_UNSPECIFIED:
      switch matrix {
      case .rec601: self = .smpte170m
      case .rec709: self = .rec709
      case .rec2020: self = .rec2020
      }
    default: self = .unspecified
    }
  }
}
