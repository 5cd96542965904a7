import Foundation
import Frames
import Platform

extension V4L2Device {
  /// Identifies a camera in any port. On USB: by vendor, product, serial number and the number of the node among the
  /// camera's own; without a serial number, by its port. Not on USB: by driver and bus position.
  func identity(system: String = "/sys") -> String {
    let node = PathText(PathText(path).resolved).name
    return SystemDevice(node: node, system: system)?.identity(bus: capability.bus)
      ?? "\(capability.driver)-\(capability.card)-\(capability.bus)"
  }
}

/// A video node of a USB camera, which is recognised when it comes back under another number.
package struct SystemDevice {
  private let device: USBDevice
  /// Which of the device's video nodes this is.
  private let index: String

  /// - Returns: `nil` if the node is not on USB.
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
