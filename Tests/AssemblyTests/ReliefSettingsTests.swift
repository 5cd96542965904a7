import Assembly
import Frames
import Telemetry
import Testing

/// What is said where the heat cannot be followed.
struct ReliefSettingsTests {
  @Test func aLimitIsAdvised_onlyWhereThereIsAThermometer() {
    let plain = ThermalZone(name: "thermal_zone0", type: "acpitz", celsius: 40)
    let limited = ThermalZone(name: "thermal_zone1", type: "cpu-thermal", celsius: 78, limit: 85)
    func doubt(_ limit: Double?, _ zones: [ThermalZone]) -> String? {
      ReliefSettings.doubt(limit: limit, among: zones)?.withOptions
    }
    #expect(doubt(nil, [plain, limited]) == nil && doubt(80, [plain]) == nil)
    #expect(
      doubt(nil, [plain])
        == "no thermometer reports when this machine slows down; give a limit, as in --heat-limit 80")
    let none = "the kernel finds no thermometer in this machine; --heat-limit has no effect"
    #expect(doubt(nil, []) == none && doubt(80, []) == none)
  }
}
