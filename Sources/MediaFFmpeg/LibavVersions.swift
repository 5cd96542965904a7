import CFFmpeg

/// The versions of FFmpeg's libraries in this process.
public enum LibavVersions {
  /// For comparisons. Any thread.
  public static let text = [
    avcodec_version(), avformat_version(), avutil_version(), swscale_version(), swresample_version(),
  ].map { "\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)" }.joined(separator: " ")
}
