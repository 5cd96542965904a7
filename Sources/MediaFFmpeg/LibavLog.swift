import CFFmpeg

/// Silences FFmpeg's libraries, which print messages by default. What matters comes as an error or a warning of
/// camrec's.
enum LibavLog {
  private static let silenced: Void = av_log_set_level(AV_LOG_QUIET)

  /// Keeps the libraries from printing. Any thread, any number of times.
  static func silence() { _ = silenced }
}
