/// Remembers the last reading of each thermometer. One that falls silent (asleep, its driver gone) keeps its last
/// value: what it measures has not cooled down.
public struct ThermalMemory: Sendable {
  private var last: [String: ThermalZone] = [:]

  public init() {}

  /// - Parameter zones: the zones that can be read now.
  /// - Returns: these, and the last reading of each zone that could be read before.
  public mutating func complete(_ zones: [ThermalZone]) -> [ThermalZone] {
    for zone in zones { last[zone.name] = zone }
    return Array(last.values)
  }
}
