import Cameras
import CFFmpeg
public import Frames
public import Movies

extension MovieWriter {
  /// Reports early what `open` would report about settings that an encoder refuses. Creates nothing.
  ///
  /// - Returns: seconds of the newest frames that a power cut may cost, from the capture to the medium: frames on their
  ///   way to the encoder and inside it, a fragment, and its way to the medium. `nil` if the encoder's delay is
  ///   unknown.
  /// - Throws: `CamrecError` of code `usage`.
  public static func check(_ settings: MovieSettings) throws(CamrecError) -> Double? {
    LibavLog.silence()
    try settings.checkTimes()
    guard settings.container != .framemd5 else { return 0 }
    let choice = try EncoderChoice(settings.encoding, input: settings.format.layout)
    let options = try EncoderOptions(settings, choice)
    // Other encoders may need a device, or refuse their options; libx265 takes long to open, and its options are known.
    if choice.name != VideoCodec.hevc.defaultEncoder { _ = try VideoEncoder(settings) }
    return EncoderOptions.lossBound(settings, heldFrames: options.heldFrames)
  }

  /// Reports what no encoder accepts, whatever the frames and the device. Opens nothing.
  ///
  /// - Throws: `CamrecError` of code `usage`.
  public static func check(_ encoding: VideoEncoding) throws(CamrecError) {
    LibavLog.silence()
    var refusal: CamrecError?
    // Encoders may take frames of one depth alone.
    for input in [PixelLayout.yuv420p, .yuv420p10] {
      do throws(CamrecError) {
        let layout = try EncoderChoice.layouts(for: encoding, input: input)[0]
        // An FFmpeg without the usual encoder bakes as well.
        if encoding.encoder == nil, avcodec_find_encoder_by_name(encoding.codec.defaultEncoder) == nil { return }
        let settings = MovieSettings(
          path: "", container: .mov, format: FrameFormat(width: 1920, height: 1080, layout: layout, color: .rec709),
          frameRate: try FrameRate(argument: "24"), audio: nil, encoding: encoding, creationTime: 0, isLive: false)
        _ = try EncoderOptions(settings, try EncoderChoice(encoding, input: input))
        return
      } catch { refusal = refusal ?? error }
    }
    if let refusal { throw refusal }
  }
}
