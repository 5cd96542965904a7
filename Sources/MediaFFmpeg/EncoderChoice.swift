import CFFmpeg
import Frames
import Movies

/// A libavcodec encoder and the pixel layout of its input.
struct EncoderChoice {
  let codec: UnsafePointer<AVCodec>
  let name: String
  let layout: PixelLayout

  /// Finds the encoder that `encoding` names, or the default one of its codec.
  ///
  /// - Throws: code `usage`: no encoder of that name makes this codec from frames in system memory (the message lists
  ///   those that do; reason `notOffered`), or the profile is unknown.
  init(_ encoding: VideoEncoding, input: PixelLayout) throws(CamrecError) {
    let wanted = try EncoderChoice.layouts(for: encoding, input: input)
    let name = encoding.encoder ?? encoding.codec.defaultEncoder
    guard let codec = avcodec_find_encoder_by_name(name), codec.pointee.id == encoding.codec.libavID,
      let layout = wanted.first(where: { EncoderChoice.takes(codec, $0) })
    else {
      let others = EncoderChoice.names(for: encoding.codec, layouts: wanted)
      let list = others.isEmpty ? "none" : others.joined(separator: ", ")
      throw CamrecError(
        .usage, about: .encoder,
        "this FFmpeg has no \(encoding.codec.rawValue) encoder '\(name)' that takes \(wanted[0].rawValue) frames "
          + "from memory; it has: \(list)", reason: .notOffered)
    }
    self.codec = codec
    self.name = name
    self.layout = layout
  }

  /// The layouts that suit the codec, best first: HEVC is 4:2:0 of the input's depth unless the profile says
  /// otherwise, ProRes 4:2:2 in 10 bits or, with the profile 4444, 4:4:4, FFV1 the input's own subsampling and depth.
  static func layouts(for encoding: VideoEncoding, input: PixelLayout) throws(CamrecError) -> [PixelLayout] {
    switch encoding.codec {
    case .hevc:
      switch encoding.profile {
      case nil: return input.bitDepth == 8 ? [.yuv420p, .nv12] : [.yuv420p10, .p010]
      case "main": return [.yuv420p, .nv12]
      case "main10": return [.yuv420p10, .p010]
      case "main422-10": return [.yuv422p10, .p210]
      case let other?: throw unknownProfile(other, "HEVC", ["main", "main10", "main422-10"])
      }
    case .prores:
      return try proResProfile(encoding.profile) == 4 ? [.yuv444p10] : [.yuv422p10, .p210]
    case .ffv1:
      if let profile = encoding.profile {
        throw CamrecError(
          .usage, about: .profile, "ffv1 has no profiles; leave out \(setting: .profile) \(profile)",
          reason: .notOffered)
      }
      switch (input.chroma, input.bitDepth) {
      case (.yuv420, 8): return [.yuv420p]
      case (.yuv422, 8): return [.yuv422p]
      case (.yuv444, 8): return [.yuv444p]
      case (.yuv420, _): return [.yuv420p10]
      case (.yuv422, _): return [.yuv422p10]
      case (.yuv444, _): return [.yuv444p10]
      }
    }
  }

  /// The number of a ProRes profile (0 proxy to 3 HQ, 4 for 4444); HQ by default.
  static func proResProfile(_ name: String?) throws(CamrecError) -> Int32 {
    let names = ["proxy", "lt", "standard", "hq", "4444"]
    guard let index = names.firstIndex(of: name ?? "hq") else { throw unknownProfile(name ?? "", "ProRes", names) }
    return Int32(index)
  }

  private static func unknownProfile(_ name: String, _ codec: String, _ known: [String]) -> CamrecError {
    CamrecError(.usage, "\(codec) has no profile '\(name)'; it has \(known.joined(separator: ", "))")
  }

  /// Whether the encoder has an option of its own with this name.
  func hasOption(_ option: String) -> Bool {
    var description = codec.pointee.priv_class
    guard description != nil else { return false }
    return av_opt_find(&description, option, nil, 0, AV_OPT_SEARCH_FAKE_OBJ) != nil
  }

  /// Encoders of this build that make `codec` of one of `layouts` from frames in system memory.
  private static func names(for codec: VideoCodec, layouts: [PixelLayout]) -> [String] {
    var names: [String] = []
    var cursor: UnsafeMutableRawPointer?
    while let candidate = av_codec_iterate(&cursor) {
      guard av_codec_is_encoder(candidate) != 0, candidate.pointee.id == codec.libavID,
        layouts.contains(where: { takes(candidate, $0) })
      else { continue }
      names.append(String(cString: candidate.pointee.name))
    }
    return names
  }

  private static func takes(_ codec: UnsafePointer<AVCodec>, _ layout: PixelLayout) -> Bool {
    guard var entry = CFFmpeg_pixelFormats(codec) else { return false }
    while entry.pointee != AV_PIX_FMT_NONE {
      if entry.pointee == layout.libavFormat { return true }
      entry += 1
    }
    return false
  }
}

extension VideoCodec {
  var libavID: AVCodecID {
    switch self {
    case .hevc: AV_CODEC_ID_HEVC
    case .prores: AV_CODEC_ID_PRORES
    case .ffv1: AV_CODEC_ID_FFV1
    }
  }

  /// The encoder that `--encoder auto` chooses.
  var defaultEncoder: String {
    switch self {
    case .hevc: "libx265"
    case .prores: "prores_aw"
    case .ffv1: "ffv1"
    }
  }
}
