package import RecorderAPI

/// An image file of one frame.
package struct Snapshot: Sendable {
  /// Says what the picture shows; without subscription, sequence and send time.
  package var header: MonitorHeader
  package var file: [UInt8]
}
