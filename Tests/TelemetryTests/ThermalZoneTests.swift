import Foundation
import Telemetry
import Testing

@Suite struct ThermalZoneTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)").path

  private func write(_ text: String, _ zone: String, _ file: String) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(zone)", withIntermediateDirectories: true)
    try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(zone)/\(file)"))
  }

  @Test func zones_areRead_inOrder_withTheirLowestLimit() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("45678", "thermal_zone10", "temp")
    try write("cpu-thermal", "thermal_zone10", "type")
    for (number, trip) in [("active", 50_000), ("critical", 110_000), ("passive", 85_000)].enumerated() {
      try write(trip.0, "thermal_zone10", "trip_point_\(number)_type")
      try write("\(trip.1)", "thermal_zone10", "trip_point_\(number)_temp")
    }
    try write("-1500", "thermal_zone2", "temp")
    try write("acpitz", "thermal_zone2", "type")
    // Asleep, disconnected, and not a zone.
    try write("", "thermal_zone3", "temp")
    try write("-274000", "thermal_zone4", "temp")
    try write("50000", "cooling_device0", "temp")
    #expect(
      ThermalZone.all(in: folder) == [
        ThermalZone(name: "thermal_zone2", type: "acpitz", celsius: -1.5),
        ThermalZone(name: "thermal_zone10", type: "cpu-thermal", celsius: 45.678, limit: 85),
      ])
  }

  @Test func machineWithoutZones_hasNone() { #expect(ThermalZone.all(in: "/nonexistent") == []) }
}
