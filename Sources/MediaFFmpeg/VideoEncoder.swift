import CFFmpeg
import Frames
import Movies

/// One libavcodec encoder, set up as `MovieSettings` say. Thread: one at a time.
final class VideoEncoder {
  let context: UnsafeMutablePointer<AVCodecContext>
  let name: String
  /// Frames that go in before the first packet comes out; `nil` if that is unknown for the encoder.
  let heldFrames: Int?
  private let picture: UnsafeMutablePointer<AVFrame>
  private let loans = VideoFrameLoans()
  private let tags: VideoColorTags
  private let format: AVPixelFormat
  private var sent = 0
  /// The last frame sent, if it may be sent again.
  private let last: UnsafeMutablePointer<AVFrame>?
  private var hasEnded = false

  /// Once for the process, before the first encoder has memory.
  private static let heap: Void = CFFmpeg_giveBackLargeBlocks()

  /// - Throws: code `usage` for settings that the encoder refuses, `defect` if libavcodec fails otherwise.
  init(_ settings: MovieSettings) throws(CamrecError) {
    VideoEncoder.heap
    let choice = try EncoderChoice(settings.encoding, input: settings.format.layout)
    guard choice.layout == settings.format.layout else {
      throw CamrecError(
        .defect,
        "\(choice.name) was set up for \(settings.format.layout.rawValue) frames but takes \(choice.layout.rawValue)")
    }
    let options = try EncoderOptions(settings, choice)
    guard let context = avcodec_alloc_context3(choice.codec) else { throw VideoEncoder.noMemory }
    guard let picture = av_frame_alloc() else {
      var context: UnsafeMutablePointer<AVCodecContext>? = context
      avcodec_free_context(&context)
      throw VideoEncoder.noMemory
    }
    name = choice.name
    tags = VideoColorTags(settings.format.color, codec: settings.encoding.codec)
    heldFrames = options.heldFrames
    format = choice.layout.libavFormat
    last = settings.fillsGaps ? av_frame_alloc() : nil
    self.context = context
    self.picture = picture
    describe(settings)
    do {
      try options.apply(to: context)
      try LibavCall.check(avcodec_open2(context, choice.codec, nil), "avcodec_open2")
    } catch {
      throw CamrecError(
        .usage,
        "\(name) cannot encode \(settings.format.width)x\(settings.format.height) \(choice.layout.rawValue) at "
          + "\(settings.frameRate) fps with these settings", cause: error.cause)
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    var picture: UnsafeMutablePointer<AVFrame>? = picture
    av_frame_free(&picture)
    var last = last
    av_frame_free(&last)
  }

  /// Gives `frame` to the encoder. Its memory goes back to its owner when the encoder no longer needs it.
  ///
  /// Take all packets out between two calls, so that the encoder always has room.
  func send(_ frame: consuming Frame, at time: Int64) throws(LibavError) {
    let (width, height) = (frame.format.width, frame.format.height)
    try loans.lend(frame, to: picture)
    defer { av_frame_unref(picture) }
    picture.pointee.width = Int32(width)
    picture.pointee.height = Int32(height)
    picture.pointee.format = format.rawValue
    picture.pointee.pts = time
    picture.pointee.color_primaries = tags.primaries
    picture.pointee.color_trc = tags.transfer
    picture.pointee.colorspace = tags.matrix
    picture.pointee.color_range = tags.range
    picture.pointee.sample_aspect_ratio = context.pointee.sample_aspect_ratio
    if let last {
      av_frame_unref(last)
      try LibavCall.check(av_frame_ref(last, picture), "av_frame_ref")
    }
    try LibavCall.check(avcodec_send_frame(context, picture), "avcodec_send_frame")
    sent += 1
  }

  /// Gives the encoder the last frame once more, at another time.
  func sendAgain(at time: Int64) throws(LibavError) {
    guard let last else { return }
    last.pointee.pts = time
    try LibavCall.check(avcodec_send_frame(context, last), "avcodec_send_frame")
    sent += 1
  }

  /// Ends the input; what is still inside comes out.
  func end() throws(LibavError) {
    if let last { av_frame_unref(last) }
    try LibavCall.check(avcodec_send_frame(context, nil), "avcodec_send_frame")
    hasEnded = true
  }

  /// Puts the next packet into `packet`; returns false if there is none now.
  func receive(_ packet: UnsafeMutablePointer<AVPacket>) throws(LibavError) -> Bool {
    guard try LibavCall.outcome(avcodec_receive_packet(context, packet), "avcodec_receive_packet") == .done else {
      return false
    }
    // x265 learns from its third frame how far decoding precedes presentation. Without a third frame its decoding times
    // come from memory that was never written; two frames have no other order than that of presentation.
    if hasEnded, sent < 3 { packet.pointee.dts = packet.pointee.pts }
    return true
  }

  private static var noMemory: CamrecError { CamrecError(.defect, "no memory for the encoder") }

  /// Sets what every encoder needs: size, colour, rate, a closed group of pictures about every second.
  private func describe(_ settings: MovieSettings) {
    context.pointee.width = Int32(settings.format.width)
    context.pointee.height = Int32(settings.format.height)
    context.pointee.pix_fmt = format
    context.pointee.sample_aspect_ratio = AVRational(settings.pixelAspect)
    context.pointee.field_order = AV_FIELD_PROGRESSIVE
    context.pointee.color_primaries = tags.primaries
    context.pointee.color_trc = tags.transfer
    context.pointee.colorspace = tags.matrix
    context.pointee.color_range = tags.range
    // Times are finer than frames; rate control and VUI timing follow `framerate`.
    context.pointee.time_base = AVRational(settings.timeBase)
    context.pointee.framerate = AVRational(settings.frameRate.rational)
    // Rounded up, so a group may last up to a frame longer: another length would give films other bits.
    context.pointee.gop_size = Int32(settings.frameRate.framesPerSecond.rounded(.up))
    context.pointee.flags |= Int32(bitPattern: UInt32(AV_CODEC_FLAG_CLOSED_GOP) | UInt32(AV_CODEC_FLAG_GLOBAL_HEADER))
  }
}

extension Rational {
  /// - Parameter rational: its denominator is positive.
  init(_ rational: AVRational) { self.init(Int64(rational.num), Int64(rational.den)) }
}

extension AVRational {
  init(_ rational: Rational) {
    self.init(num: Int32(rational.numerator), den: Int32(rational.denominator))
  }
}
