public import Frames
public import Movies

extension MovieWriter {
  /// Tells early what `open` would tell of settings that an encoder does not take. Creates nothing.
  ///
  /// - Returns: seconds of the newest pictures that a kill may cost, from capture to disk: frames on their way to the
  ///   encoder and inside it, and a fragment. `nil` where the encoder's delay is not known.
  /// - Throws: `CamrecError` of code `usage`.
  public static func check(_ settings: MovieSettings) throws(CamrecError) -> Double? {
    try settings.checkTimes()
    guard settings.container != .framemd5 else { return 0 }
    let options = try EncoderOptions(settings, try EncoderChoice(settings.encoding, input: settings.format.layout))
    return EncoderOptions.lossBound(
      heldFrames: options.heldFrames, rate: settings.frameRate, framesBefore: settings.framesBefore)
  }
}
