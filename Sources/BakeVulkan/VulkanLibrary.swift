import CVulkan
import Foundation
public import Frames

/// The system's Vulkan loader, opened at run time, and the devices of its drivers. Once opened, it stays open until the
/// process ends.
///
/// Thread: any. `@unchecked Sendable`: the data behind the pointer does not change while it is open.
public final class VulkanLibrary: @unchecked Sendable {
  /// In the drivers' order.
  public let gpus: [GPUInfo]
  let loader: OpaquePointer

  /// The name in the environment variable `CAMREC_VULKAN_LIBRARY`, else the loader's own name.
  public static var standardName: String {
    ProcessInfo.processInfo.environment["CAMREC_VULKAN_LIBRARY"].flatMap { $0.isEmpty ? nil : $0 } ?? "libvulkan.so.1"
  }

  /// - Parameter name: a path, or a name that the dynamic linker finds.
  /// - Throws: code `device` if there is no such library, or it does not work.
  public init(name: String = VulkanLibrary.standardName) throws(CamrecError) {
    var opened: OpaquePointer?
    try VulkanCall.check(
      cvk_loader_open(name, &opened),
      "Vulkan is not available: \(name) does not load; install the GPU's Vulkan driver and loader (libvulkan1), or use "
        + "\(setting: .bakeOn) cpu")
    guard let opened else { throw CamrecError(.defect, "the Vulkan library opened, but returned no handle") }
    loader = opened
    gpus = (0..<cvk_device_count(opened)).map { index in
      var info = cvk_device_info()
      cvk_device(opened, index, &info)
      return GPUInfo(info)
    }
  }

  /// The available devices; empty if there is no loader, or it does not work.
  public static func gpus() -> [GPUInfo] {
    do throws(CamrecError) {
      return try VulkanLibrary().gpus
    } catch {
      return []
    }
  }

  /// The index of the device to use: discrete before integrated, software last.
  ///
  /// - Throws: code `device` if there is none.
  func best() throws(CamrecError) -> Int {
    guard let best = gpus.indices.min(by: { (gpus[$0].rank, $0) < (gpus[$1].rank, $1) }) else {
      throw CamrecError(
        .device, about: .bakeOn,
        "there is no GPU with a Vulkan driver; install one (vulkaninfo lists them), or use \(setting: .bakeOn) cpu",
        reason: .noDevice)
    }
    return best
  }
}
