public import Movies

/// Presets of the encoders that camrec knows.
public enum EncoderPresets {
  /// The preset of `encoding`, followed by the faster presets, the fastest last. Empty for an encoder without presets,
  /// or if it is unknown which of its presets are faster.
  public static func faster(from encoding: VideoEncoding) -> [String] {
    guard encoding.codec == .hevc, (encoding.encoder ?? encoding.codec.defaultEncoder) == "libx265",
      let place = X265Latency.presets.firstIndex(of: encoding.preset ?? X265Latency.presets[0])
    else { return [] }
    return X265Latency.presets[...place].reversed()
  }

  /// Whether the encoder has a preset faster than that of `encoding`, as far as it is known.
  public static func hasFaster(than encoding: VideoEncoding) -> Bool { faster(from: encoding).count > 1 }
}
