package import Cameras
package import RecorderAPI
package import RecorderRemote

/// A running recorder that has a camera open.
package struct CameraUser: Hashable, Sendable, CustomStringConvertible {
  package let name: String
  package let pid: Int32

  package init(name: String, pid: Int32) {
    self.name = name
    self.pid = pid
  }

  /// `recorder front (process 4711)`.
  package var description: String { "recorder \(name) (process \(pid))" }

  /// Whether a recorder has a camera open, as its state says. A camera that is no hardware can be opened by several.
  package static func hasOpen(
    _ camera: CameraAddress, _ state: RecorderState, among providers: CameraProviders
  ) -> Bool {
    // A recorder that waits for its camera has a source only while it tries one.
    guard state.phase != .ended, let name = state.source?.camera,
      let provider = providers[camera], provider.traits.isHardware, let place = provider.place(of: camera)
    else { return false }
    // A device's name is its address, with what it calls itself in parentheses: `/dev/video0 (Logitech BRIO)`.
    let written = name.firstRange(of: " (").map { String(name[..<$0.lowerBound]) } ?? name
    return provider.address(parsing: written).flatMap { provider.place(of: $0) } == place
  }
}

extension RecorderDirectory {
  /// The recorder that has the camera open; `nil` if none says so.
  package func user(of camera: CameraAddress, among providers: CameraProviders) -> CameraUser? {
    let user = recorders.first { $0.isAlive && CameraUser.hasOpen(camera, $0.record.state, among: providers) }
    return user.map { CameraUser(name: $0.record.name, pid: $0.record.writer.pid) }
  }
}
