/// The protocol by which programs see through a running recorder, described in `Documentation/MonitorProtocol.md`.
///
/// A subscriber asks by lines of JSON. The recorder sends messages: a header of fixed length and a payload.
public enum MonitorProtocol {
  /// Adding members to lines, kinds of messages, bits, or fields at the end of the header keeps the number; any other
  /// change needs a new one.
  public static let version: UInt8 = 1

  /// The longest request in bytes, without its line feed.
  public static let lineLimit = 65_536
  /// The largest payload of a message of a known kind, in bytes.
  public static let payloadLimit = 256 << 20
  /// The largest piece of a snapshot, in bytes.
  public static let pieceLimit = 256 << 10

  /// Pictures and measures of one subscription that may have been sent and not yet acknowledged.
  public static let mostUnderWay = 2
  /// A subscriber that has messages under way and says nothing for this long is let go.
  public static let patience = Duration.seconds(5)
  /// Subscribers at a time, and subscriptions of each.
  public static let mostSubscribers = 128, mostSubscriptions = 16

  /// Different pictures that a recorder makes at a time: they differ in width, crop, quality, or in being graded.
  public static let mostVariants = 8

  /// A snapshot waits this long, at most, until the exposure has settled.
  public static let settling = Duration.seconds(5)

  /// What requests may ask for: pictures or measures a second, widths in pixels, and qualities of JPEG.
  public static let rates = 0.001...240.0, widths = 16...16384, qualities = 1...100
}
