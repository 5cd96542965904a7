public import Audio
import CFFmpeg
public import Frames

/// Converts rate and channels with libswresample, and stretches audio by parts per million.
///
/// The library's own ratio has steps of about 1 ppm, and its corrections are whole samples. So each call compares where
/// the output should be (the input so far, each piece at its stretch) with where it is, to a fraction of a sample, and
/// sets the ratio so that the difference is gone within a second. The error stays far below a sample for any length of
/// time, and nothing jumps. Mono becomes equal channels at the same level.
///
/// Thread: one at a time.
///
/// `@unchecked Sendable`: used on one thread at a time, as `AudioResampler` says.
public final class SwresampleResampler: AudioResampler, @unchecked Sendable {
  public let inputFormat: AudioFormat
  public let outputFormat: AudioFormat
  private let context: OpaquePointer
  private var partsPerMillion = 0.0
  /// Output audio frames that the input so far should have become, and those that were delivered.
  private var due = 0.0
  private var made: Int64 = 0

  /// The largest stretch or squeeze in parts per million.
  public static let limit = 50_000.0
  /// Output audio frames that a ratio is set for; the next call sets a new one.
  private static let distance: Int32 = 1 << 24

  /// - Throws: code `defect` if libswresample cannot convert between the two.
  public init(from inputFormat: AudioFormat, to outputFormat: AudioFormat) throws(CamrecError) {
    LibavLog.silence()
    self.inputFormat = inputFormat
    self.outputFormat = outputFormat
    do throws(LibavError) {
      context = try SwresampleResampler.open(inputFormat, outputFormat)
    } catch {
      throw CamrecError(
        .defect,
        "cannot convert audio from \(inputFormat.channels) channels at \(inputFormat.sampleRate) Hz to "
          + "\(outputFormat.channels) at \(outputFormat.sampleRate) Hz",
        cause: error.cause)
    }
  }

  private static func open(_ input: AudioFormat, _ output: AudioFormat) throws(LibavError) -> OpaquePointer {
    var source = AVChannelLayout(), target = AVChannelLayout(), context: OpaquePointer?
    av_channel_layout_default(&source, Int32(input.channels))
    av_channel_layout_default(&target, Int32(output.channels))
    do throws(LibavError) {
      try LibavCall.check(
        swr_alloc_set_opts2(
          &context, &target, output.sample.libavFormat, Int32(output.sampleRate), &source, input.sample.libavFormat,
          Int32(input.sampleRate), 0, nil), "swr_alloc_set_opts2")
      let options = UnsafeMutableRawPointer(context)
      // Resample at equal rates, too: a stretch may be set at any time. Linear interpolation between the filter's
      // phases allows any ratio.
      try LibavCall.check(av_opt_set_int(options, "flags", Int64(SWR_FLAG_RESAMPLE), 0), "av_opt_set_int")
      try LibavCall.check(av_opt_set_int(options, "linear_interp", 1, 0), "av_opt_set_int")
      try LibavCall.check(av_opt_set_int(options, "exact_rational", 0, 0), "av_opt_set_int")
      try LibavCall.check(
        av_opt_set_sample_fmt(options, "internal_sample_fmt", AV_SAMPLE_FMT_FLTP, 0), "av_opt_set_sample_fmt")
      if input.channels == 1, output.channels > 1 {
        let copies = [Double](repeating: 1, count: output.channels)
        try LibavCall.check(swr_set_matrix(context, copies, 1), "swr_set_matrix")
      }
      try LibavCall.check(swr_init(context), "swr_init")
    } catch {
      swr_free(&context)
      throw error
    }
    guard let context else { throw LibavError(function: "swr_alloc_set_opts2", code: CFFmpeg_errorInvalidData) }
    return context
  }

  deinit {
    var context: OpaquePointer? = context
    swr_free(&context)
  }

  /// - Throws: code `defect` beyond ±`limit`.
  public func setStretch(partsPerMillion: Double) throws(CamrecError) {
    guard abs(partsPerMillion) <= SwresampleResampler.limit else {
      throw CamrecError(
        .defect, "cannot stretch audio by \(partsPerMillion) ppm; the limit is \(Int(SwresampleResampler.limit))")
    }
    self.partsPerMillion = partsPerMillion
  }

  public func resample(_ input: borrowing AudioBuffer, into output: inout AudioBuffer) throws(CamrecError) {
    precondition(input.format == inputFormat && output.format == outputFormat, "audio is as the resampler was told")
    do throws(LibavError) {
      try aim()
      due +=
        Double(input.count) * Double(outputFormat.sampleRate) / Double(inputFormat.sampleRate)
        * (1 + partsPerMillion * 1e-6)
      output.count = try convert(input, into: &output)
      made += Int64(output.count)
    } catch {
      throw CamrecError(.defect, "cannot resample audio", cause: error.cause)
    }
    output.time = input.time
    output.lostBefore = 0
  }

  public var heldFrames: Double {
    // Asked for in nanoseconds of input, which keeps the library's own fraction of a sample.
    Double(swr_get_delay(context, 1_000_000_000)) * 1e-9 * Double(outputFormat.sampleRate)
  }

  /// Sets the ratio for the input that comes next.
  private func aim() throws(LibavError) {
    let error = due - Double(made) - heldFrames
    let wanted = partsPerMillion * 1e-6 + error / Double(outputFormat.sampleRate)
    let bounded = min(max(wanted, -0.1), 0.1)
    let samples = (bounded * Double(SwresampleResampler.distance)).rounded()
    try LibavCall.check(
      swr_set_compensation(context, Int32(samples), SwresampleResampler.distance), "swr_set_compensation")
  }

  private func convert(
    _ input: borrowing AudioBuffer, into output: inout AudioBuffer
  ) throws(LibavError) -> Int {
    let capacity = Int32(output.capacity), count = Int32(input.count), context = context
    let made = input.withBytes { source in
      output.withMutableBytes { target in
        var into = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var from = source.baseAddress.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self)) }
        return CFFmpeg_resample(context, &into, capacity, &from, count)
      }
    }
    return Int(try LibavCall.check(made, "swr_convert"))
  }
}
