import Foundation

extension V4L2Device {
  /// The same for the same camera in any port: by USB its vendor, product and serial number and which of its nodes it
  /// is. A camera without a serial number is known by its port, too; one that is not on USB by driver and place.
  func identity(system: String = "/sys") -> String {
    let node = URL(fileURLWithPath: path).resolvingSymlinksInPath().lastPathComponent
    return SystemDevice(node: node, system: system)?.identity(bus: capability.bus)
      ?? "\(capability.driver)-\(capability.card)-\(capability.bus)"
  }
}

/// A USB device as the kernel's /sys shows it.
package struct SystemDevice {
  private let vendor: String
  private let product: String
  private let serial: String?
  /// Which of the device's video nodes this is.
  private let index: String

  /// - Returns: `nil` for a node that is not on USB.
  package init?(node: String, system: String) {
    let node = "\(system)/class/video4linux/\(node)"
    var folder = URL(fileURLWithPath: node + "/device").resolvingSymlinksInPath()
    // The node belongs to an interface, whose folder lies in the device's.
    for _ in 0..<2 where SystemDevice.text(folder, "idVendor") == nil { folder.deleteLastPathComponent() }
    guard let vendor = SystemDevice.text(folder, "idVendor"), let product = SystemDevice.text(folder, "idProduct")
    else { return nil }
    self.vendor = vendor
    self.product = product
    serial = SystemDevice.text(folder, "serial")
    index = SystemDevice.text(URL(fileURLWithPath: node), "index") ?? "0"
  }

  package func identity(bus: String) -> String {
    "usb-\(vendor):\(product)-\(serial ?? bus)-\(index)"
  }

  private static func text(_ folder: URL, _ name: String) -> String? {
    let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    return text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
