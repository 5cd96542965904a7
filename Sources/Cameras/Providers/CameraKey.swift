/// Identifies a camera when it comes back, in any port and at any address.
package struct CameraKey: Hashable, Sendable {
  /// As `CameraControls.identity`.
  package let identity: String
  /// Where it is plugged in, which tells cameras of one identity apart: `usb-0000:00:14.0-2`.
  package let port: String

  package init(identity: String, port: String) {
    self.identity = identity
    self.port = port
  }
}
