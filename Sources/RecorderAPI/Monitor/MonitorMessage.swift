/// What a recorder has sent over its monitor socket.
public struct MonitorMessage: Hashable, Sendable {
  public var header: MonitorHeader
  public var payload: [UInt8]

  /// Writes the payload's length into the header.
  public init(_ header: MonitorHeader, payload: [UInt8]) {
    self.header = header
    self.payload = payload
    self.header.payloadLength = UInt64(payload.count)
  }

  /// Header and payload, as they are sent.
  public var bytes: [UInt8] { header.bytes + payload }
}
