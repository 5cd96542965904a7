import Audio
import CFFmpeg

/// Converts decoded audio to interleaved PCM of the same rate and channels. Thread: one at a time.
final class SampleConverter {
  let format: AudioFormat
  private let context: OpaquePointer
  private let source: AVSampleFormat
  private var bytes: UnsafeMutableRawBufferPointer

  /// For frames like `frame`; more than 16 bits are kept if the codec is `lossless`.
  init(_ frame: UnsafePointer<AVFrame>, lossless: Bool) throws(LibavError) {
    let source = AVSampleFormat(frame.pointee.format)
    self.source = source
    let isShallow = !lossless || av_get_bytes_per_sample(source) <= 2
    format = AudioFormat(
      sampleRate: Int(frame.pointee.sample_rate), channels: Int(frame.pointee.ch_layout.nb_channels),
      sample: isShallow ? .s16 : .s32)
    var layout = frame.pointee.ch_layout, context: OpaquePointer?
    // Channels without names get the default names for their number; both sides have the same, so none is mixed.
    if layout.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&layout, layout.nb_channels) }
    var sourceLayout = layout
    let rate = frame.pointee.sample_rate
    try LibavCall.check(
      swr_alloc_set_opts2(&context, &layout, format.sample.libavFormat, rate, &sourceLayout, source, rate, 0, nil),
      "swr_alloc_set_opts2")
    do throws(LibavError) {
      try LibavCall.check(swr_init(context), "swr_init")
    } catch {
      swr_free(&context)
      throw error
    }
    guard let context else { throw LibavError(function: "swr_alloc_set_opts2", code: CFFmpeg_errorInvalidData) }
    self.context = context
    bytes = .allocate(byteCount: 8192 * format.bytesPerFrame, alignment: 64)
  }

  deinit {
    var context: OpaquePointer? = context
    swr_free(&context)
    bytes.deallocate()
  }

  /// Whether `frame` has the format of the first.
  func takes(_ frame: UnsafePointer<AVFrame>) -> Bool {
    frame.pointee.format == source.rawValue && Int(frame.pointee.sample_rate) == format.sampleRate
      && Int(frame.pointee.ch_layout.nb_channels) == format.channels
  }

  /// The samples of `frame`, which has the format of the first; valid until the next call.
  func convert(_ frame: UnsafePointer<AVFrame>) throws(LibavError) -> UnsafeRawBufferPointer {
    let count = frame.pointee.nb_samples
    if bytes.count < Int(count) * format.bytesPerFrame {
      bytes.deallocate()
      bytes = .allocate(byteCount: 2 * Int(count) * format.bytesPerFrame, alignment: 64)
    }
    var output = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let converted = try LibavCall.check(
      CFFmpeg_resample(context, &output, count, frame.pointee.extended_data, count), "swr_convert")
    return UnsafeRawBufferPointer(rebasing: bytes[..<(Int(converted) * format.bytesPerFrame)])
  }
}

extension SampleFormat {
  /// The interleaved sample format of libav.
  var libavFormat: AVSampleFormat {
    switch self {
    case .s16: AV_SAMPLE_FMT_S16
    case .s32: AV_SAMPLE_FMT_S32
    }
  }
}
