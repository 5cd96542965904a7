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
}
