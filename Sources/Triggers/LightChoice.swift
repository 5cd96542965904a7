public import Frames

/// A recording light and its brightness: `led:NAME`, `led:NAME@50`, `torch@20`.
public struct LightChoice: Hashable, Sendable {
  public enum Lamp: Hashable, Sendable {
    /// A folder of the kernel's LED class.
    case led(folder: String)
    /// The camera's own light.
    case torch
  }

  public var lamp: Lamp
  /// Per cent of its full brightness, 1 to 100.
  public var percent: Int

  static let ledFolder = "/sys/class/leds"

  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
    // A name in the kernel may contain any character but a slash, so the last @ counts.
    var name = text
    percent = 100
    if let at = text.lastIndex(of: "@") {
      guard let number = Int(text[text.index(after: at)...]), (1...100).contains(number) else {
        throw CamrecError(.usage, "a light's brightness is 1 to 100 per cent, as in led:tally@50, not '\(text)'")
      }
      percent = number
      name = String(text[..<at])
    }
    if name == "torch" {
      lamp = .torch
      return
    }
    let led = name.hasPrefix("led:") ? String(name.dropFirst(4)) : ""
    guard !led.isEmpty, led.hasPrefix("/") || !led.contains("/"), led != ".", led != ".." else {
      throw CamrecError(
        .usage, "a light must be led:NAME (from /sys/class/leds) or torch (the camera's own), not '\(text)'")
    }
    lamp = .led(folder: led.hasPrefix("/") ? led : "\(LightChoice.ledFolder)/\(led)")
  }
}
