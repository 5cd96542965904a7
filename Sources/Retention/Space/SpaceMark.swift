/// Where a recorder warns that its disk gets full.
public enum SpaceMark: Hashable, Sendable {
  /// Seconds of recording that there is room for.
  case seconds(Double)
  /// Bytes that are free.
  case bytes(Int64)

  /// What is warned at unless somebody says otherwise.
  public static let standard: [SpaceMark] = [.seconds(1800), .bytes(500_000_000)]

  /// A mark that was passed is armed again where there is so much more than it: less than the bitrate changes by with
  /// the scene, or a file that comes and goes, has nobody warned again.
  static let rearming = 1.5
}
