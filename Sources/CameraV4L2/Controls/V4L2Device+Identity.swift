import Foundation
import Frames

extension V4L2Device {
  /// The same for the same camera in any port: by USB its vendor, product and serial number and which of its nodes it
  /// is. A camera without a serial number is known by its port, too; one that is not on USB by driver and place.
  func identity(system: String = "/sys") -> String {
    let node = PathText(PathText(path).resolved).name
    return SystemDevice(node: node, system: system)?.identity(bus: capability.bus)
      ?? "\(capability.driver)-\(capability.card)-\(capability.bus)"
  }
}

/// A video node of a USB camera, known again when it comes back under another number.
package struct SystemDevice {
  private let device: USBDevice
  /// Which of the device's video nodes this is.
  private let index: String

  /// - Returns: `nil` for a node that is not on USB.
  package init?(node: String, system: String) {
    let node = "\(system)/class/video4linux/\(node)"
    guard let device = USBDevice(function: node + "/device") else { return nil }
    self.device = device
    index = USBDevice.text(node, "index") ?? "0"
  }

  package func identity(bus: String) -> String {
    "usb-\(device.vendor):\(device.product)-\(device.serial ?? bus)-\(index)"
  }
}
