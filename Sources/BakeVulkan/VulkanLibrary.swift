import CVulkan
import Foundation
public import Frames

/// The system's Vulkan loader, opened at run time, and the devices that its drivers drive. Once opened it stays to the
/// end of the process.
///
/// Thread: any. `@unchecked Sendable`: what the pointer leads to does not change while it is open.
public final class VulkanLibrary: @unchecked Sendable {
  /// In the order of the drivers.
  public let gpus: [GPUInfo]
  let loader: OpaquePointer

  /// What the environment's `CAMREC_VULKAN_LIBRARY` names, else the loader's own name.
  public static var standardName: String {
    ProcessInfo.processInfo.environment["CAMREC_VULKAN_LIBRARY"].flatMap { $0.isEmpty ? nil : $0 } ?? "libvulkan.so.1"
  }

  /// - Parameter name: a path, or a name that the dynamic linker finds.
  /// - Throws: code `device` where there is no such library, or it does not work.
  public init(name: String = VulkanLibrary.standardName) throws(CamrecError) {
    var opened: OpaquePointer?
    try VulkanCall.check(
      cvk_loader_open(name, &opened),
      "there is no Vulkan here: \(name) does not load; install the GPU's Vulkan driver and loader (libvulkan1), or use "
        + "--bake-on cpu")
    guard let opened else { throw CamrecError(.defect, "the Vulkan library opened, and there is none") }
    loader = opened
    gpus = (0..<cvk_device_count(opened)).map { index in
      var info = cvk_device_info()
      cvk_device(opened, index, &info)
      return GPUInfo(info)
    }
  }

  /// The devices that can be had: none where there is no loader, or it does not work.
  public static func gpus() -> [GPUInfo] {
    do throws(CamrecError) {
      return try VulkanLibrary().gpus
    } catch {
      return []
    }
  }

  /// The index of the device that is used: a discrete one before an integrated one, software last.
  ///
  /// - Throws: code `device` where there is none.
  func best() throws(CamrecError) -> Int {
    guard let best = gpus.indices.min(by: { (gpus[$0].rank, $0) < (gpus[$1].rank, $1) }) else {
      throw CamrecError(
        .device, "there is no GPU with a Vulkan driver; install one (vulkaninfo lists them), or use --bake-on cpu")
    }
    return best
  }
}
