public import Movies

/// Presets of the encoders that camrec knows.
public enum EncoderPresets {
  /// The preset that `encoding` means, and behind it those that are faster, the fastest last; empty for an encoder
  /// without presets, or with ones of which it is not known which is the faster.
  public static func faster(from encoding: VideoEncoding) -> [String] {
    guard encoding.codec == .hevc, (encoding.encoder ?? encoding.codec.defaultEncoder) == "libx265",
      let place = X265Latency.presets.firstIndex(of: encoding.preset ?? X265Latency.presets[0])
    else { return [] }
    return X265Latency.presets[...place].reversed()
  }
}
