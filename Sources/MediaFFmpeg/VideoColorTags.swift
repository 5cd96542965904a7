import CFFmpeg
import Frames
import Movies

/// A colour description as the code points of ITU-T H.273, which containers and bitstreams share.
///
/// A transfer function or primaries without a code point (camera logs and their gamuts) become 2, unspecified, so that
/// the tags say nothing untrue; the matrix always has one.
struct VideoColorTags {
  let primaries: AVColorPrimaries
  let transfer: AVColorTransferCharacteristic
  let matrix: AVColorSpace
  let range: AVColorRange

  /// - Parameter codec: of the frames that are to say it; `nil` for the container. ProRes frame headers know fewer
  ///   transfer functions (SMPTE RDD 36, table 6), and leave sRGB's, which has a number, to the container.
  init(_ color: ColorDescription, codec: VideoCodec? = nil) {
    let primaries = VideoColorTags.primaries(color.primaries)
    let transfer = VideoColorTags.transfer(color.transfer)
    switch color.matrix {
    case .rec601: matrix = AVCOL_SPC_SMPTE170M
    case .rec709: matrix = AVCOL_SPC_BT709
    case .rec2020: matrix = AVCOL_SPC_BT2020_NCL
    }
    range = color.range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    self.primaries = primaries
    let known = [AVCOL_TRC_BT709, AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67]
    self.transfer = codec == .prores && !known.contains(transfer) ? AVCOL_TRC_UNSPECIFIED : transfer
  }

  /// Those that a decoded picture has.
  init(of picture: AVFrame) {
    primaries = picture.color_primaries
    transfer = picture.color_trc
    matrix = picture.colorspace
    range = picture.color_range
  }

  /// Those of a stream.
  init(of parameters: AVCodecParameters) {
    primaries = parameters.color_primaries
    transfer = parameters.color_trc
    matrix = parameters.color_space
    range = parameters.color_range
  }

  /// Gives a decoded picture those that it does not say itself and that camrec knows, apart from the range. A number
  /// that camrec does not know says no more than a missing one, so the colour stays a guess.
  func complete(_ picture: inout AVFrame) {
    // Only a missing number depends on the matrix.
    if picture.color_primaries == AVCOL_PRI_UNSPECIFIED,
      ColorPrimaries(primaries, matrix: .rec709) != .unspecified
    {
      picture.color_primaries = primaries
    }
    if picture.color_trc == AVCOL_TRC_UNSPECIFIED,
      TransferCharacteristic(transfer, matrix: .rec709) != .unspecified
    {
      picture.color_trc = transfer
    }
    if picture.colorspace == AVCOL_SPC_UNSPECIFIED, ColorMatrix(matrix) != nil { picture.colorspace = matrix }
  }

  private static func primaries(_ primaries: ColorPrimaries) -> AVColorPrimaries {
    switch primaries {
    case .rec709: AVCOL_PRI_BT709
    case .smpte170m: AVCOL_PRI_SMPTE170M
    case .bt470bg: AVCOL_PRI_BT470BG
    case .rec2020: AVCOL_PRI_BT2020
    case .displayP3: AVCOL_PRI_SMPTE432
    case .sGamut3Cine, .vGamut, .alexaWideGamut, .alexaWideGamut4, .cinemaGamut, .unspecified: AVCOL_PRI_UNSPECIFIED
    }
  }

  private static func transfer(_ transfer: TransferCharacteristic) -> AVColorTransferCharacteristic {
    switch transfer {
    case .rec709: AVCOL_TRC_BT709
    case .srgb: AVCOL_TRC_IEC61966_2_1
    case .linear: AVCOL_TRC_LINEAR
    case .pq: AVCOL_TRC_SMPTE2084
    case .hlg: AVCOL_TRC_ARIB_STD_B67
    case .appleLog, .slog3, .vlog, .logC3, .logC4, .fLog2, .cLog3, .unspecified: AVCOL_TRC_UNSPECIFIED
    }
  }
}
