package import Cameras
package import Frames
import Platform

extension CameraKind {
  package static let v4l2 = CameraKind("v4l2", isNamed: false)
}

/// The cameras of the kernel, by the paths of their nodes or of links to those.
package struct V4L2Provider: CameraProvider {
  private let folders: V4L2Devices.Folders

  package init(folders: V4L2Devices.Folders = V4L2Devices.Folders()) { self.folders = folders }

  package var kind: CameraKind { .v4l2 }
  package var traits: CameraTraits { CameraTraits(isHardware: true, mayBeAway: true, hasControls: true) }
  package var noun: String { "a V4L2 camera" }
  package var forms: [String] { ["/dev/videoN", "/dev/v4l/by-id/…"] }

  package func address(parsing text: String) -> CameraAddress? {
    text.hasPrefix("/") ? CameraAddress(.v4l2, text) : nil
  }

  package func name(of address: CameraAddress) -> String {
    String(address.place.split(separator: "/").last ?? "camera")
  }

  package func place(of address: CameraAddress) -> CameraAddress? {
    CameraAddress(.v4l2, PathText(address.place).resolved)
  }

  package func node(of address: CameraAddress) -> String? { PathText(address.place).resolved }

  package func first() throws(CamrecError) -> CameraAddress? {
    CameraAddress(.v4l2, try V4L2Devices.firstCapture(in: folders))
  }

  package func list() -> [CameraListing] { V4L2Devices.list(in: folders) }

  /// `nil` for a link, which stands for whatever it points to.
  package func key(of address: CameraAddress) -> CameraKey? {
    guard place(of: address) == address else { return nil }
    return try? V4L2Devices.key(of: address.place, in: folders)
  }

  package func address(of key: CameraKey) -> CameraAddress? {
    V4L2Devices.path(of: key, in: folders).map { CameraAddress(.v4l2, $0) }
  }

  package func check(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) {
    try V4L2Camera.check(path: address.place, request: order.request)
  }

  package func open(_ address: CameraAddress, _ order: CameraOrder) throws(CamrecError) -> OpenedCamera {
    OpenedCamera(try V4L2Camera.open(path: address.place, request: order.request, buffers: order.frames))
  }

  package func openControls(
    _ address: CameraAddress, keeping: ControlKeeping
  ) throws(CamrecError) -> any CameraControls {
    try V4L2Controls.open(path: address.place, keeping: keeping)
  }
}
