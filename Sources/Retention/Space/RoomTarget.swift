/// How much of a disk should be free.
public struct RoomTarget: Hashable, Sendable {
  /// Bytes to aim for.
  public var bytes: Int64
  /// Bytes that are worth deleting films for: if all films that may be deleted do not free them, none is deleted.
  public var least: Int64

  public init(bytes: Int64, least: Int64) {
    self.bytes = bytes
    self.least = least
  }

  static let none = RoomTarget(bytes: 0, least: 0)
}
