/// What a subscriber asks a recorder's monitor for: the content of one line of the protocol.
public enum MonitorRequest: Hashable, Sendable {
  /// Asks for the greeting again. The recorder says which version it speaks, whatever the subscriber's.
  case hello(version: Int)
  /// A number that is in use already gets what is asked for now.
  case pictures(subscription: UInt32, PictureRequest)
  case measures(subscription: UInt32, MeasuresRequest)
  case snapshot(subscription: UInt32, SnapshotRequest)
  case end(subscription: UInt32)
  /// The pictures or measures of a subscription up to this number have been used: others may come. It is answered only
  /// if it is refused. The pieces of a snapshot need none.
  case used(subscription: UInt32, sequence: UInt64)

  /// `nil` for what concerns the connection.
  public var subscription: UInt32? {
    switch self {
    case .hello: nil
    case .pictures(let number, _), .measures(let number, _), .snapshot(let number, _), .end(let number): number
    case .used(let number, _): number
    }
  }
}
