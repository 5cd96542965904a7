package import AudioALSA
package import BakeVulkan
package import Cameras
import Frames
import Reporting

/// Cameras, microphones and GPUs in words.
package enum DeviceListing {
  package static func lines(cameras: [CameraListing], microphones: [ALSADeviceInfo], gpus: [GPUInfo]) -> [String] {
    var lines = cameras.flatMap(camera)
    if cameras.isEmpty {
      let none: Sentence = "no cameras; \(setting: .camera) sim simulates one"
      lines.append(none.withOptions)
    }
    lines.append("")
    lines += microphones.isEmpty ? ["no microphones"] : ["microphones:"]
    lines += microphones.map { "  \($0.name)  \($0.description)" }
    lines.append("")
    lines += gpus.isEmpty ? ["no GPUs with a Vulkan driver"] : ["GPUs:"]
    lines += gpus.map(gpu)
    return lines
  }

  private static func camera(_ info: CameraListing) -> [String] {
    let words = [info.card, info.driver.isEmpty ? "" : "(\(info.driver))"].filter { !$0.isEmpty }
    var lines = [([info.path] + words).joined(separator: " ")]
    if let stable = info.stablePath { lines.append("  \(stable)") }
    if let problem = info.problem { lines.append("  not usable: \(problem)") }
    for format in info.formats {
      lines.append("  \(format.name)  \(format.description)" + (format.isReadable ? "" : ", not supported by camrec"))
      lines += format.sizes.map { "    " + size($0) }
    }
    if !info.controls.isEmpty {
      lines.append("  controls:")
      lines += info.controls.map { "    " + control($0) }
    }
    return lines
  }

  /// `NVIDIA H200  discrete, 140 GB, Vulkan 1.3`.
  private static func gpu(_ info: GPUInfo) -> String {
    "  \(info.name)  \(info.kind.rawValue), \(HumanText.bytes(Int64(clamping: info.memory))), Vulkan \(info.vulkan)"
  }

  /// `1920x1080  30, 24, 15 fps`; for a range, also its end and its step.
  private static func size(_ size: CameraListing.Size) -> String {
    var text = "\(size.width)x\(size.height)"
    if let width = size.largestWidth, let height = size.largestHeight {
      text += " to \(width)x\(height)"
      if let x = size.widthStep, let y = size.heightStep, x > 1 || y > 1 { text += " in steps of \(x)x\(y)" }
    }
    if size.rates.isEmpty { return text }
    let rates = size.rates.joined(separator: size.areRatesContinuous ? " to " : ", ")
    return "\(text)  \(rates) fps"
  }

  /// `brightness  128 (0 to 255, default 128)`.
  private static func control(_ control: CameraListing.Control) -> String {
    var text = control.name
    if let value = control.value {
      let item = control.menu.first { $0.value == value }
      text += "  \(value)" + (item.map { " \($0.name)" } ?? "")
    }
    if control.menu.isEmpty {
      if control.kind != .button {
        let step = control.step > 1 ? " in steps of \(control.step)" : ""
        text += " (\(control.minimum) to \(control.maximum)\(step), default \(control.defaultValue))"
      }
    } else {
      text += " (" + control.menu.map { "\($0.value) \($0.name)" }.joined(separator: ", ") + ")"
    }
    if control.isReadOnly { text += ", read-only" }
    if control.isInactive { text += ", inactive" }
    return text
  }
}
