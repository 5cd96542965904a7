import Foundation

/// A USB device as the kernel's /sys shows it (Documentation/ABI/testing/sysfs-bus-usb).
public struct USBDevice: Hashable, Sendable {
  /// Four hexadecimal digits: `046d`.
  public let vendor: String
  public let product: String
  public let serial: String?
  /// The port that it is plugged into: `1-2`.
  public let port: String

  /// - Parameter function: the link `device` of a video node or sound card that belongs to one of the device's
  ///   interfaces.
  /// - Returns: `nil` if it is not on USB.
  public init?(function: String) {
    var folder = PathText(function).resolved
    // The interface's folder is in the device's.
    for _ in 0..<2 where USBDevice.text(folder, "idVendor") == nil { folder = PathText(folder).folder }
    guard let vendor = USBDevice.text(folder, "idVendor"), let product = USBDevice.text(folder, "idProduct")
    else { return nil }
    self.vendor = vendor
    self.product = product
    serial = USBDevice.text(folder, "serial")
    port = PathText(folder).name
  }

  /// The text of the file `name` in a folder of the kernel's; `nil` if the file is missing or empty.
  public static func text(_ folder: String, _ name: String) -> String? {
    let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    return text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
