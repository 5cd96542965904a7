import Foundation

/// A Vulkan library that fails on order (`Tests/FaultyVulkan`), in a folder of its own.
public struct FaultyLibrary: ~Copyable {
  public let path: String
  private let folder: URL

  /// - Parameters:
  ///   - call: without its `vk`: `QueueSubmit`, `WaitForFences`, `AllocateMemory`, `CreateInstance`;
  ///     `CmdDispatch` leaves out the lowest rows, whatever the result;
  ///     `GetPhysicalDeviceProperties` makes of the result the most bytes that a shader sees of a buffer.
  ///   - number: the first call that fails, from 1.
  ///   - result: the VkResult that it and all that follow it answer.
  ///   - pause: milliseconds that every wait for a frame takes before.
  public init(_ call: String, from number: Int, result: Int, pause: Int = 0) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("faulty-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let made = try CamrecBinary.find().url.deletingLastPathComponent().appendingPathComponent("libFaultyVulkan.so")
    let copy = folder.appendingPathComponent("\(call).\(number).\(result).\(pause).so")
    try FileManager.default.copyItem(at: made, to: copy)
    path = copy.path
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
