/// When a recorder warns that its disk is getting full.
public enum SpaceMark: Hashable, Sendable {
  /// Seconds of recording that there is room for.
  case seconds(Double)
  /// Bytes that are free.
  case bytes(Int64)

  /// The default marks.
  public static let standard: [SpaceMark] = [.seconds(1800), .bytes(500_000_000)]

  /// A mark that was passed is armed again once the room exceeds it by this factor. The factor is large enough that
  /// neither a bitrate that changes with the scene nor a file that comes and goes warns anybody twice.
  static let rearming = 1.5
}
