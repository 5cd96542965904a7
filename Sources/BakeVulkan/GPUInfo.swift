import CVulkan

/// A Vulkan device.
public struct GPUInfo: Hashable, Sendable, Encodable {
  public enum Kind: String, Hashable, Sendable, Encodable {
    case discrete, integrated, virtual, other
    /// A driver that computes on the CPU.
    case software
  }

  public let name: String
  public let kind: Kind
  /// The Vulkan version: `1.3`.
  public let vulkan: String
  /// Bytes of the device's own memory; if it has none, of the memory that it shares with the CPU.
  public let memory: UInt64
  /// The largest buffer for a shader, in bytes.
  let bufferLimit: UInt64

  private enum CodingKeys: String, CodingKey { case name, kind, vulkan, memory }

  init(_ info: cvk_device_info) {
    name = withUnsafeBytes(of: info.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    kind =
      switch info.kind {
      case CVK_DISCRETE: .discrete
      case CVK_INTEGRATED: .integrated
      case CVK_VIRTUAL: .virtual
      case CVK_CPU: .software
      default: .other
      }
    vulkan = "\(info.version_major).\(info.version_minor)"
    memory = info.memory
    bufferLimit = info.buffer_limit
  }

  /// The order of preference among several devices.
  var rank: Int {
    switch kind {
    case .discrete: 0
    case .integrated: 1
    case .virtual: 2
    case .other: 3
    case .software: 4
    }
  }
}
