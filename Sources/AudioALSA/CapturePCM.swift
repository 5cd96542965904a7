import Audio
import CALSA
import Frames
import Glibc

/// An open capture stream of the ALSA library.
///
/// `@unchecked Sendable`: used by one thread at a time, as `Microphone` says.
final class CapturePCM: @unchecked Sendable {
  let name: String
  let format: AudioFormat
  private let pcm: OpaquePointer
  private let encoding: SampleEncoding

  /// The requested times; the device sets the nearest.
  private static let period: UInt32 = 10_000
  private static let buffer: UInt32 = 500_000

  /// Opens the device in its format nearest to 48 kHz, stereo, 16 bit.
  init(name: String) throws(ALSACallError) {
    CALSA_silence()
    var opened: OpaquePointer?
    try ALSACall.check(snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK)), "snd_pcm_open")
    guard let opened else { throw ALSACallError(function: "snd_pcm_open", number: ENODEV) }
    do throws(ALSACallError) {
      let hardware = try CapturePCM.negotiate(opened)
      try CapturePCM.setUp(opened, period: hardware.period)
      format = hardware.format
      encoding = hardware.encoding
    } catch {
      snd_pcm_close(opened)
      throw error
    }
    self.name = name
    pcm = opened
  }

  deinit { snd_pcm_close(pcm) }

  private static func negotiate(
    _ pcm: OpaquePointer
  ) throws(ALSACallError) -> (format: AudioFormat, encoding: SampleEncoding, period: snd_pcm_uframes_t) {
    var allocated: OpaquePointer?
    try ALSACall.check(snd_pcm_hw_params_malloc(&allocated), "snd_pcm_hw_params_malloc")
    defer { snd_pcm_hw_params_free(allocated) }
    let parameters = allocated
    try ALSACall.check(snd_pcm_hw_params_any(pcm, parameters), "snd_pcm_hw_params_any")
    // The recorder converts other rates better than the library does.
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
    try ALSACall.check(
      snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED), "snd_pcm_hw_params_set_access")
    let known = SampleEncoding.allCases.first {
      ALSACall.offers(snd_pcm_hw_params_test_format(pcm, parameters, $0.alsaFormat))
    }
    guard let encoding = known else { throw ALSACallError(function: "snd_pcm_hw_params_test_format", number: EINVAL) }
    try ALSACall.check(
      snd_pcm_hw_params_set_format(pcm, parameters, encoding.alsaFormat), "snd_pcm_hw_params_set_format")
    var channels = UInt32(AudioFormat.standard.channels), rate = UInt32(AudioFormat.standard.sampleRate)
    var buffer = CapturePCM.buffer, period = CapturePCM.period
    try ALSACall.check(
      snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels), "snd_pcm_hw_params_set_channels_near")
    try ALSACall.check(
      snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), "snd_pcm_hw_params_set_rate_near")
    try ALSACall.check(
      snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &buffer, nil), "snd_pcm_hw_params_set_buffer_time_near")
    try ALSACall.check(
      snd_pcm_hw_params_set_period_time_near(pcm, parameters, &period, nil), "snd_pcm_hw_params_set_period_time_near")
    try ALSACall.check(snd_pcm_hw_params(pcm, parameters), "snd_pcm_hw_params")
    var frames: snd_pcm_uframes_t = 0
    try ALSACall.check(
      snd_pcm_hw_params_get_period_size(parameters, &frames, nil), "snd_pcm_hw_params_get_period_size")
    return (
      AudioFormat(sampleRate: Int(rate), channels: Int(channels), sample: encoding.sample), encoding, frames
    )
  }

  private static func setUp(_ pcm: OpaquePointer, period: snd_pcm_uframes_t) throws(ALSACallError) {
    var allocated: OpaquePointer?
    try ALSACall.check(snd_pcm_sw_params_malloc(&allocated), "snd_pcm_sw_params_malloc")
    defer { snd_pcm_sw_params_free(allocated) }
    let parameters = allocated
    try ALSACall.check(snd_pcm_sw_params_current(pcm, parameters), "snd_pcm_sw_params_current")
    try ALSACall.check(
      snd_pcm_sw_params_set_avail_min(pcm, parameters, max(period, 1)), "snd_pcm_sw_params_set_avail_min")
    try ALSACall.check(
      snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE), "snd_pcm_sw_params_set_tstamp_mode")
    try ALSACall.check(
      snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC),
      "snd_pcm_sw_params_set_tstamp_type")
    try ALSACall.check(snd_pcm_sw_params(pcm, parameters), "snd_pcm_sw_params")
  }

  /// Starts the stream, also after a stop.
  func start() throws(ALSACallError) {
    try ALSACall.check(snd_pcm_prepare(pcm), "snd_pcm_prepare")
    try ALSACall.check(snd_pcm_start(pcm), "snd_pcm_start")
  }

  func stop() { snd_pcm_drop(pcm) }

  /// Waits for a period; false if none came in time.
  func wait(milliseconds: Int32) throws(ALSACallError) -> Bool {
    try ALSACall.count(snd_pcm_wait(pcm, milliseconds), "snd_pcm_wait") > 0
  }

  /// The device's position: the audio frames that can be read, and the time at which that was true; 0 if it has no
  /// stamp.
  func position() throws(ALSACallError) -> (available: Int, nanoseconds: Int64) {
    // The library's shared devices advance only when asked to, and some (softvol) then stamp without counting.
    let updated = try ALSACall.check(snd_pcm_avail_update(pcm), "snd_pcm_avail_update")
    var available: snd_pcm_uframes_t = 0
    var stamp = snd_htimestamp_t()
    try ALSACall.check(snd_pcm_htimestamp(pcm, &available, &stamp), "snd_pcm_htimestamp")
    // Saturating, because a driver may report anything.
    let seconds = Int64(stamp.tv_sec).multipliedSaturated(by: 1_000_000_000)
    return (max(Int(clamping: available), updated), seconds.addingSaturated(Int64(stamp.tv_nsec)))
  }

  /// Reads at most `count` audio frames to the beginning of `buffer`; returns how many were read.
  func read(_ count: Int, into buffer: inout AudioBuffer) throws(ALSACallError) -> Int {
    let frames = buffer.withMutableBytes { bytes in
      let frames = snd_pcm_readi(pcm, bytes.baseAddress, snd_pcm_uframes_t(count))
      if frames > 0 { encoding.expand(bytes, count: frames * format.channels) }
      return frames
    }
    return try ALSACall.count(frames, "snd_pcm_readi")
  }
}
