public import Frames
public import Movies

extension MovieWriter {
  /// Tells early what `open` would tell of settings that an encoder does not take. Creates nothing.
  ///
  /// - Returns: seconds of the newest pictures that a power cut may cost, from the capture to the medium: frames on
  ///   their way to the encoder and inside it, a fragment, and its way to the medium. `nil` where the encoder's delay
  ///   is not known.
  /// - Throws: `CamrecError` of code `usage`.
  public static func check(_ settings: MovieSettings) throws(CamrecError) -> Double? {
    LibavLog.silence()
    try settings.checkTimes()
    guard settings.container != .framemd5 else { return 0 }
    let choice = try EncoderChoice(settings.encoding, input: settings.format.layout)
    let options = try EncoderOptions(settings, choice)
    // Others may need a device, or refuse what they are told; libx265 takes long to open, and its options are known.
    if choice.name != VideoCodec.hevc.defaultEncoder { _ = try VideoEncoder(settings) }
    return EncoderOptions.lossBound(settings, heldFrames: options.heldFrames)
  }
}
