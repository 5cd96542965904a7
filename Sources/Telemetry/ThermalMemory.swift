/// Thermometers as they read last: one that falls silent (asleep, its driver gone) stands where it stood, since what it
/// measures does not cool by that.
public struct ThermalMemory: Sendable {
  private var last: [String: ThermalZone] = [:]

  public init() {}

  /// - Parameter zones: those that can be read now.
  /// - Returns: these, and the last of those that could be read before.
  public mutating func complete(_ zones: [ThermalZone]) -> [ThermalZone] {
    for zone in zones { last[zone.name] = zone }
    return Array(last.values)
  }
}
