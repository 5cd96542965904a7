import Telemetry
import Testing

/// Which thermometer is the one that counts.
@Suite struct ThermalLimitTests {
  private let zones = [
    ThermalZone(name: "thermal_zone0", type: "acpitz", celsius: 40),
    ThermalZone(name: "thermal_zone1", type: "cpu-thermal", celsius: 78, limit: 85),
    ThermalZone(name: "thermal_zone2", type: "gpu-thermal", celsius: 81, limit: 105),
  ]

  @Test func auto_isTheZoneNearestToItsOwnLimit() {
    let nearest = ThermalZone.nearest(to: nil, among: zones)
    #expect(nearest?.zone.type == "cpu-thermal" && nearest?.distance == 7)
    #expect(ThermalZone.nearest(to: nil, among: [zones[0]]) == nil && ThermalZone.nearest(to: nil, among: []) == nil)
  }

  @Test func degrees_areForTheWarmest() {
    let nearest = ThermalZone.nearest(to: 80, among: zones)
    #expect(nearest?.zone.type == "gpu-thermal" && nearest?.distance == -1)
  }
}
