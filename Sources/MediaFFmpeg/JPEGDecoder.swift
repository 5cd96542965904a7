import CFFmpeg
public import Frames

/// Decodes a camera's JPEG images (Motion JPEG) with libavcodec, with the same bits on every machine.
///
/// Frames come out as `yuv422p` in full range, whatever chroma resolution the images have: 4:2:2 in the decoder's own
/// memory, 4:2:0 with each row of chroma standing for two, others through swscale. The matrix is that of BT.601, as in
/// JFIF (ITU-T T.871). Images without Huffman tables, as UVC cameras send them, can be decoded, and so can images
/// followed by garbage; images with an error in them cannot.
///
/// Thread: one at a time. Once warm, camrec allocates nothing per image.
///
/// `@unchecked Sendable`: used on one thread at a time, as `ImageConverter` says.
public final class JPEGDecoder: ImageConverter, @unchecked Sendable {
  public let outputFormat: FrameFormat
  private let decoder: LibavDecoder
  private let packet: LibavPacket
  private let scratch: LibavFrame
  /// Lends 4:2:2 images where the decoder put them.
  private let direct: PictureSlots
  /// Lends other images after conversion, in memory of its own.
  private let converted: PictureSlots
  private var scaler: (from: AVPixelFormat, scaler: PictureScaler)?
  private var directFormat: FrameFormat

  /// - Parameters:
  ///   - color: what the camera says; only transfer function and primaries are taken from it.
  ///   - frames: frames that may be out at once.
  /// - Throws: code `defect` if libavcodec has no JPEG decoder.
  public init(width: Int, height: Int, color: ColorDescription, frames: Int) throws(CamrecError) {
    LibavLog.silence()
    let color = ColorDescription(
      matrix: .rec601, range: .full, transfer: color.transfer, primaries: color.primaries)
    do throws(LibavError) {
      guard let codec = avcodec_find_decoder(AV_CODEC_ID_MJPEG) else {
        throw LibavError(function: "avcodec_find_decoder", code: CFFmpeg_errorDecoderNotFound)
      }
      // One thread: an image comes out before the next goes in.
      decoder = try LibavDecoder(codec: codec, parameters: nil, timeBase: AVRational(num: 1, den: 1), threads: 1)
      packet = try LibavPacket()
      scratch = try LibavFrame()
      direct = try PictureSlots(capacity: frames)
      converted = try PictureSlots(capacity: frames, memory: (AV_PIX_FMT_YUV422P, width, height))
    } catch {
      throw CamrecError(.defect, "there is no decoder for JPEG images", cause: error.cause)
    }
    outputFormat = FrameFormat(converted.picture(0), layout: .yuv422p, color: color)
    directFormat = outputFormat
  }

  public func convert(_ image: consuming EncodedImage) throws(CamrecError) -> Frame {
    let picture = scratch.pointer
    do throws(LibavError) {
      try decode(image, into: picture)
    } catch {
      avcodec_flush_buffers(decoder.context)
      throw CamrecError(.device, "the camera delivered a JPEG image that cannot be decoded", cause: error.cause)
    }
    defer { av_frame_unref(picture) }
    guard Int(picture.pointee.width) == outputFormat.width, Int(picture.pointee.height) == outputFormat.height else {
      throw CamrecError(
        .device,
        "the camera delivered an image of \(picture.pointee.width)x\(picture.pointee.height) in a stream of "
          + "\(outputFormat.width)x\(outputFormat.height)")
    }
    let format = AVPixelFormat(picture.pointee.format)
    let isDirect = PixelLayout(format) == .yuv422p, slots = isDirect ? direct : converted
    guard let slot = slots.take(waitingAtMost: 0) else {
      throw CamrecError(.defect, "more decoded images are in use than the decoder was made for")
    }
    if isDirect {
      av_frame_move_ref(slots.picture(slot), picture)
      if !directFormat.hasStrides(of: slots.picture(slot)) {
        directFormat = FrameFormat(slots.picture(slot), layout: .yuv422p, color: outputFormat.color)
      }
      return slots.lend(slot, format: directFormat)
    }
    if PixelLayout(format) == .yuv420p {
      slots.picture(slot).pointee.fillDoublingChromaRows(of: picture.pointee)
    } else {
      do throws(LibavError) {
        try scale(picture, from: format, into: slots.picture(slot))
      } catch {
        slots.giveBack(slot)
        throw CamrecError(
          .device, "cannot convert the camera's JPEG images: their pixel format is \(format.name)", cause: error.cause)
      }
    }
    return slots.lend(slot, format: outputFormat)
  }

  private func decode(_ image: borrowing EncodedImage, into picture: UnsafeMutablePointer<AVFrame>) throws(LibavError) {
    try packet.fill(count: image.byteCount) { target in
      image.withBytes { bytes in
        UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyMemory(from: bytes)
      }
    }
    try decoder.send(packet.pointer)
    guard case .done = try decoder.receive(picture) else {
      throw LibavError(function: "avcodec_receive_frame", code: CFFmpeg_errorInvalidData)
    }
  }

  private func scale(
    _ picture: UnsafeMutablePointer<AVFrame>, from format: AVPixelFormat, into target: UnsafeMutablePointer<AVFrame>
  ) throws(LibavError) {
    if scaler?.from != format {
      scaler = (
        format,
        try PictureScaler(
          from: format, to: AV_PIX_FMT_YUV422P, width: outputFormat.width, height: outputFormat.height,
          color: outputFormat.color)
      )
    }
    try scaler?.scaler.convert(picture, into: target)
  }
}
