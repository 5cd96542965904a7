import CFFmpeg
public import Cameras
public import Frames

/// Encodes frames as baseline JPEG with the standard's own Huffman tables, as webcams do.
///
/// Thread: one at a time. `@unchecked Sendable`: used on one thread at a time, as `ImageEncoder` says.
public final class JPEGEncoder: ImageEncoder, @unchecked Sendable {
  private let format: FrameFormat
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let picture: LibavFrame
  private let packet: LibavPacket

  /// - Parameters:
  ///   - format: of the frames: `yuv420p` or `yuv422p`, full range.
  ///   - quality: the quantiser's scale, 1 (best) to 31.
  /// - Throws: code `defect` for another format, or if libavcodec has no JPEG encoder.
  public init(format: FrameFormat, quality: Int = 3) throws(CamrecError) {
    LibavLog.silence()
    guard [.yuv420p, .yuv422p].contains(format.layout), format.color.range == .full else {
      throw CamrecError(
        .defect,
        "JPEG images are made from yuv420p or yuv422p in full range, "
          + "not from \(format.layout) in \(format.color.range) range")
    }
    precondition((1...31).contains(quality), "the quantiser's scale is 1 to 31")
    self.format = format
    do throws(LibavError) {
      guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
        throw LibavError(function: "avcodec_find_encoder", code: CFFmpeg_errorEncoderNotFound)
      }
      picture = try LibavFrame(format: format.layout.libavFormat, width: format.width, height: format.height)
      picture.pointer.pointee.color_range = AVCOL_RANGE_JPEG
      picture.pointer.pointee.quality = FF_QP2LAMBDA * Int32(quality)
      packet = try LibavPacket()
      context = try JPEGEncoder.open(codec, format: format, quality: quality)
    } catch {
      throw CamrecError(.defect, "cannot encode JPEG images", cause: error.cause)
    }
  }

  private static func open(
    _ codec: UnsafePointer<AVCodec>, format: FrameFormat, quality: Int
  ) throws(LibavError) -> UnsafeMutablePointer<AVCodecContext> {
    let context = try LibavCall.unwrap(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    context.pointee.width = Int32(format.width)
    context.pointee.height = Int32(format.height)
    context.pointee.pix_fmt = format.layout.libavFormat
    context.pointee.color_range = AVCOL_RANGE_JPEG
    context.pointee.time_base = AVRational(num: 1, den: 25)
    // One thread: an image comes out before the next goes in.
    context.pointee.thread_count = 1
    context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_QSCALE
    context.pointee.global_quality = FF_QP2LAMBDA * Int32(quality)
    context.pointee.dct_algo = FF_DCT_INT
    do throws(LibavError) {
      try LibavCall.check(av_opt_set(context.pointee.priv_data, "huffman", "default", 0), "av_opt_set")
      try LibavCall.check(avcodec_open2(context, codec, nil), "avcodec_open2")
    } catch {
      var context: UnsafeMutablePointer<AVCodecContext>? = context
      avcodec_free_context(&context)
      throw error
    }
    return context
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  public func encode(
    _ frame: borrowing Frame, into target: UnsafeMutableRawBufferPointer
  ) throws(CamrecError) -> Int {
    precondition(
      frame.format.layout == format.layout && frame.format.width == format.width
        && frame.format.height == format.height,
      "frames have the format that the encoder was opened for")
    let packet = packet.pointer
    defer { av_packet_unref(packet) }
    do throws(LibavError) {
      try LibavCall.check(av_frame_make_writable(picture.pointer), "av_frame_make_writable")
      picture.pointer.pointee.fill(with: frame)
      picture.pointer.pointee.pts += 1
      try LibavCall.check(avcodec_send_frame(context, picture.pointer), "avcodec_send_frame")
      try LibavCall.check(avcodec_receive_packet(context, packet), "avcodec_receive_packet")
    } catch {
      throw CamrecError(.defect, "cannot encode a JPEG image", cause: error.cause)
    }
    let count = Int(packet.pointee.size)
    guard count <= target.count else {
      throw CamrecError(.defect, "a JPEG image of \(count) bytes does not fit into a buffer of \(target.count)")
    }
    target.copyMemory(from: UnsafeRawBufferPointer(start: packet.pointee.data, count: count))
    return count
  }
}
