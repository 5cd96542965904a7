import Foundation
import Frames
import Platform

/// Whether the kernel may put a camera's USB port to sleep: some cameras then do not wake up, or drop off the bus
/// (Documentation/driver-api/usb/power-management of Linux).
public struct USBPowerCheck: DoctorCheck {
  private let node: String
  private let files: SystemFiles

  /// - Parameter node: the camera's device, with links followed: `/dev/video0`.
  public init(node: String, files: SystemFiles = SystemFiles()) {
    self.node = node
    self.files = files
  }

  public func findings() -> [DoctorFinding] {
    let name = PathText(node).name
    var folder = PathText("\(files.sys)/class/video4linux/\(name)/device").resolved
    // From the interface up to the device, which has a vendor; beyond that are hubs.
    while folder.count > files.sys.count, !files.exists(folder + "/idVendor") {
      folder = PathText(folder).folder
    }
    guard files.exists(folder + "/idVendor"), let control = files.text(folder + "/power/control") else {
      return [DoctorFinding("usb power", .ok, "\(node) has no USB port with power management")]
    }
    let port = PathText(folder).name
    guard control == "auto" else {
      return [
        DoctorFinding("usb power", .ok, "the USB port \(port) of \(node) stays awake (power/control is \(control))")
      ]
    }
    let vendor = files.text(folder + "/idVendor") ?? "?", product = files.text(folder + "/idProduct") ?? "?"
    return [
      DoctorFinding(
        "usb power", .warning, "the kernel may put the USB port \(port) of \(node) to sleep (power/control is auto)",
        remedy: "now: echo on > \(folder)/power/control; for good, in /etc/udev/rules.d/70-camrec-power.rules: "
          + "ACTION==\"add\", SUBSYSTEM==\"usb\", ATTR{idVendor}==\"\(vendor)\", ATTR{idProduct}==\"\(product)\", "
          + "ATTR{power/control}=\"on\"")
    ]
  }
}
