import CFFmpeg
import Foundation
import Frames
import Movies

/// An encoder's options beyond frame size, colour and frame rate: preset, rate control, profile, threads.
struct EncoderOptions {
  private let encoding: VideoEncoding
  private let name: String
  private let latency: X265Latency?
  private let threads: Int
  private let profile: Int32?
  /// Frames that go in before the first packet comes out; `nil` if that is unknown for the encoder.
  let heldFrames: Int?

  /// Frames that the writer holds besides the encoder: one, until its duration is known.
  static let framesBehind = 1
  /// libavcodec refuses more frame threads (frame_thread_encoder.c, MAX_THREADS).
  private static let mostFrameThreads = 64

  /// - Throws: code `usage`: the encoder lacks an option that `settings` ask for.
  init(_ settings: MovieSettings, _ choice: EncoderChoice) throws(CamrecError) {
    let encoding = settings.encoding
    self.encoding = encoding
    name = choice.name
    try EncoderOptions.checkRate(encoding, name)
    try EncoderOptions.checkSize(settings, choice)
    if let preset = encoding.preset, !choice.hasOption("preset") {
      throw CamrecError(
        .usage, about: .preset, "\(name) has no presets; leave out \(setting: .preset) \(preset)",
        reason: .notOffered)
    }
    profile = encoding.codec == .prores ? try EncoderChoice.proResProfile(encoding.profile) : nil

    let cores = encoding.cores ?? ProcessInfo.processInfo.activeProcessorCount
    let rate = settings.frameRate.framesPerSecond
    let seconds = LossBudget(settings.lossLimit).encoder
    let budget = max(0, Int(seconds * rate) - settings.framesBefore - EncoderOptions.framesBehind)
    switch (name, encoding.codec) {
    case ("libx265", _):
      let preset = encoding.preset ?? "ultrafast"
      guard var latency = X265Latency(preset: preset, cores: cores) else {
        throw CamrecError(
          .usage, "libx265 has no preset '\(preset)'; it has \(X265Latency.presets.joined(separator: ", "))")
      }
      if settings.isLive { latency.fit(budget: budget) }
      heldFrames = latency.frames
      // A bake has no latency to keep low, so x265 chooses its threads by itself.
      self.latency = settings.isLive ? latency : nil
      threads = settings.isLive ? latency.frameThreads : 0
    case (_, .prores):
      // Each frame thread holds a frame. A bake has no latency to keep low, and takes all cores that it may.
      let most = min(cores, EncoderOptions.mostFrameThreads)
      threads = settings.isLive ? max(1, min(most, budget)) : encoding.cores == nil ? 0 : most
      latency = nil
      heldFrames = settings.isLive ? threads : cores
    case (_, .ffv1):
      threads = encoding.cores ?? 0
      latency = nil
      heldFrames = 0
    case (_, .hevc):
      threads = encoding.cores ?? 0
      latency = nil
      heldFrames = nil
    }
  }

  /// Seconds of the newest frames that a power cut may cost, from the capture to the medium; `nil` if the encoder's
  /// delay is unknown.
  static func lossBound(_ settings: MovieSettings, heldFrames: Int?) -> Double? {
    let interval = settings.frameRate.frameDuration.doubleValue
    let share = LossBudget(settings.lossLimit)
    return heldFrames.map {
      Double(settings.framesBefore + $0 + framesBehind) * interval + max(share.fragment, interval) + share.disk
    }
  }

  /// Sets the options in `context`, which is not open yet.
  func apply(to context: UnsafeMutablePointer<AVCodecContext>) throws(LibavError) {
    context.pointee.thread_count = Int32(threads)
    if let profile { context.pointee.profile = profile }
    if encoding.codec == .ffv1 { context.pointee.level = 3 }
    if name == "libx265" {
      try set("preset", encoding.preset ?? "ultrafast", in: context)
      if let profile = encoding.profile { try set("profile", profile, in: context) }
      var parameters = "log-level=error"
      // Otherwise its pool has a thread for each core of the machine.
      if let cores = encoding.cores { parameters += ":pools=\(cores)" }
      if let latency { parameters += ":rc-lookahead=\(latency.lookahead):bframes=\(latency.bFrames)" }
      try set("x265-params", parameters, in: context)
    } else if let preset = encoding.preset {
      try set("preset", preset, in: context)
    }
    switch encoding.rate ?? (name == "libx265" ? .quality(20) : nil) {
    case .quality(let quality)? where name == "libx265":
      try set("crf", "\(quality)", in: context)
    case .quality(let quality)?:
      context.pointee.flags |= Int32(AV_CODEC_FLAG_QSCALE)
      context.pointee.global_quality = Int32(quality) * FF_QP2LAMBDA
    case .bitrate(let bits)?:
      context.pointee.bit_rate = Int64(bits)
    case nil: break
    }
  }

  private func set(_ key: String, _ value: String, in context: UnsafeMutablePointer<AVCodecContext>) throws(LibavError)
  {
    try LibavCall.check(av_opt_set(context.pointee.priv_data, key, value, 0), "av_opt_set")
  }

  private static func checkRate(_ encoding: VideoEncoding, _ name: String) throws(CamrecError) {
    switch encoding.rate {
    case nil: return
    case .quality(let quality)? where name == "libx265" && !(0...51).contains(quality):
      throw CamrecError(
        .usage, "quality \(quality) is outside libx265's CRF range, 0 (lossless) to 51; the default is 20")
    case .quality(let quality)? where quality < 0:
      throw CamrecError(.usage, "quality \(quality) is negative")
    case .bitrate(let bits)? where bits < 1000:
      throw CamrecError(.usage, "a bitrate of \(bits) bit/s is too low; write 40M for 40 Mbit/s")
    case .quality?, .bitrate?:
      switch (encoding.codec, name) {
      case (.ffv1, _):
        throw CamrecError(
          .usage, about: nil,
          "ffv1 is lossless and has no quality or bitrate; leave out \(setting: .quality) and \(setting: .bitrate)",
          reason: .notOffered)
      case (.prores, "prores_ks") where encoding.rate?.isQuality == true: return
      case (.prores, _):
        throw CamrecError(
          .usage, about: nil,
          "\(name)'s size follows from its profile; leave out \(setting: .quality) and \(setting: .bitrate) and choose"
            + " a \(setting: .profile)", reason: .notOffered)
      case (.hevc, _): return
      }
    }
  }

  /// 4:2:0 and 4:2:2 share chroma between pairs of pixels, and some encoders take even widths only. An encoder that
  /// cannot pad would refuse an odd size with a bare error number; this refuses it in words.
  private static func checkSize(_ settings: MovieSettings, _ choice: EncoderChoice) throws(CamrecError) {
    let (width, height) = (settings.format.width, settings.format.height)
    if settings.encoding.codec == .hevc, min(width, height) < 16 {
      throw CamrecError(.usage, "\(width)x\(height) is too small for HEVC, which needs at least 16x16")
    }
    if max(width, height) > 16384 {
      throw CamrecError(.usage, "\(width)x\(height) is too large to encode; the limit is 16384 in each direction")
    }
    let chroma = choice.layout.chroma
    let oddWidth = width % chroma.across != 0, oddHeight = height % chroma.down != 0
    let (evenWidth, evenHeight) = (width & ~1, height & ~1)
    // A clip keeps its size, unless another program changes it.
    let even = "an even size (\(evenWidth)x\(evenHeight)); to crop a clip, run: ffmpeg -i CLIP "
      + "-vf crop=\(evenWidth):\(evenHeight) -c:v ffv1 -c:a copy EVEN.mkv"
    if settings.encoding.codec != .ffv1, oddWidth || oddHeight {
      let proRes: Sentence =
        settings.encoding.codec == .prores ? ", \(setting: .profile) 4444 \(setting: .encoder) prores_ks," : ""
      throw CamrecError(
        .usage, about: .size,
        "\(width)x\(height) is odd, but \(choice.name) shares chroma between pairs of pixels in "
          + "\(choice.layout.rawValue); use \(setting: .codec) ffv1\(sentence: proRes) or \(even)")
    }
    if evenWidths.contains(choice.name), width != evenWidth {
      throw CamrecError(
        .usage, about: .size,
        "\(width)x\(height) has an odd width, which \(choice.name) does not take; use \(setting: .encoder) prores_ks, "
          + "\(setting: .codec) ffv1 or \(even)")
    }
  }

  /// Encoders that refuse an odd width, also if each pixel has its own chroma.
  private static let evenWidths: Set = ["prores", "prores_aw"]
}

extension RateControl {
  fileprivate var isQuality: Bool {
    switch self {
    case .quality: true
    case .bitrate: false
    }
  }
}
