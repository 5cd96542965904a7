/// How much of a disk is to be free.
public struct RoomTarget: Hashable, Sendable {
  /// Bytes that are aimed for.
  public var bytes: Int64
  /// Bytes that are worth deleting films for: where all films that may go do not give them, none goes.
  public var least: Int64

  public init(bytes: Int64, least: Int64) {
    self.bytes = bytes
    self.least = least
  }

  static let none = RoomTarget(bytes: 0, least: 0)
}
