/// What a monitor message has in its payload. A later version may send kinds that this one does not know.
public struct MonitorKind: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A JSON object: the greeting, an answer or a notice.
  public static let text = MonitorKind(rawValue: 0)
  /// A whole JPEG image.
  public static let picture = MonitorKind(rawValue: 1)
  /// A `MeasuresPayload`.
  public static let measures = MonitorKind(rawValue: 2)
  /// A piece of a snapshot's image file.
  public static let snapshot = MonitorKind(rawValue: 3)

  public var isKnown: Bool { rawValue <= MonitorKind.snapshot.rawValue }
}
