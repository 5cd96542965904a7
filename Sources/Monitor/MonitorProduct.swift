package import RecorderAPI

/// A picture or measures of one frame, for all who have asked for the same.
package final class MonitorProduct: Sendable {
  /// Without subscription, sequence and send time.
  package let header: MonitorHeader
  package let payload: [UInt8]

  package init(_ header: MonitorHeader, payload: [UInt8]) {
    var header = header
    header.payloadLength = UInt64(payload.count)
    self.header = header
    self.payload = payload
  }
}
