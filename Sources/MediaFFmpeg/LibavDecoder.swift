import CFFmpeg

/// An open decoder of libavcodec. Thread: one at a time.
final class LibavDecoder {
  let context: UnsafeMutablePointer<AVCodecContext>
  private var checksums: FFV1Checksums?

  /// - Parameters:
  ///   - codec: what to decode with.
  ///   - parameters: what the container says about the stream.
  ///   - timeBase: the ticks of the stream's packets.
  ///   - threads: 0 for as many as there are cores.
  init(
    codec: UnsafePointer<AVCodec>, parameters: UnsafePointer<AVCodecParameters>?, timeBase: AVRational, threads: Int32
  ) throws(LibavError) {
    let context = try LibavCall.unwrap(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    do throws(LibavError) {
      if let parameters {
        try LibavCall.check(avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context")
      }
      context.pointee.pkt_timebase = timeBase
      context.pointee.thread_count = threads
      // Damaged pictures come out marked as such instead of being left out; cropping is exact at any alignment.
      context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_OUTPUT_CORRUPT | AV_CODEC_FLAG_UNALIGNED
      // In old DCT codecs the decoder chooses the inverse transform. A fixed choice gives the same bits everywhere;
      // MPEG-4 streams say which one their encoder used.
      if codec.pointee.id != AV_CODEC_ID_MPEG4 { context.pointee.idct_algo = FF_IDCT_SIMPLE }
      // In intra-only codecs an error affects one picture alone: it is reported, not concealed.
      if let descriptor = avcodec_descriptor_get(codec.pointee.id),
        descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
      {
        context.pointee.err_recognition |= AV_EF_CRCCHECK | AV_EF_EXPLODE
      }
      // HEVC's decoder otherwise reports neither a slice that it skips nor a frame that differs from its hash.
      if codec.pointee.id == AV_CODEC_ID_HEVC { context.pointee.err_recognition |= AV_EF_CRCCHECK | AV_EF_EXPLODE }
      // With frame threads these put a frame out before the thread that decodes it has marked its damage, and with
      // slice threads they mark none.
      if LibavDecoder.marksDamageLate.contains(codec.pointee.id.rawValue) { context.pointee.thread_count = 1 }
      // Damaged frames of FFV1 come out without an error; what they lack must not show frames before them.
      if codec.pointee.id == AV_CODEC_ID_FFV1 { CFFmpeg_clearFrames(context) }
      try LibavCall.check(avcodec_open2(context, codec, nil), "avcodec_open2")
    } catch {
      var context: UnsafeMutablePointer<AVCodecContext>? = context
      avcodec_free_context(&context)
      throw error
    }
    self.context = context
    checksums = codec.pointee.id == AV_CODEC_ID_FFV1 ? parameters.flatMap { FFV1Checksums($0.pointee) } : nil
  }

  private static let marksDamageLate: Set<AVCodecID.RawValue> = Set(
    [
      AV_CODEC_ID_H264, AV_CODEC_ID_MPEG4, AV_CODEC_ID_H263, AV_CODEC_ID_FLV1, AV_CODEC_ID_MSMPEG4V2,
      AV_CODEC_ID_MSMPEG4V3, AV_CODEC_ID_RV30, AV_CODEC_ID_RV40,
    ].map(\.rawValue))

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// Gives the decoder a packet, or `nil` at the end. A packet that is damaged by its own checksums is an error.
  func send(_ packet: UnsafePointer<AVPacket>?) throws(LibavError) {
    if let packet, checksums?.accept(packet.pointee) == false {
      throw LibavError(function: "av_crc", code: CFFmpeg_errorInvalidData)
    }
    try LibavCall.check(avcodec_send_packet(context, packet), "avcodec_send_packet")
  }

  /// Takes the next frame into `frame`, which must be empty.
  func receive(_ frame: UnsafeMutablePointer<AVFrame>) throws(LibavError) -> LibavOutcome {
    try LibavCall.outcome(avcodec_receive_frame(context, frame), "avcodec_receive_frame")
  }
}
