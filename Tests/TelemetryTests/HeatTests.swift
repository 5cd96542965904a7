import Foundation
import Frames
import Recorder
import Telemetry
import Testing

/// A machine of files that warms and cools: from its thermometers to what the recorder does with less.
@Suite final class HeatTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)").path

  init() throws {
    for (zone, type, trips) in [
      ("thermal_zone0", "acpitz", [("critical", 119_000)]),
      ("thermal_zone1", "cpu-thermal", [("active", 50_000), ("passive", 85_000), ("critical", 110_000)]),
    ] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(zone)", withIntermediateDirectories: true)
      try write(type, zone, "type")
      for (number, trip) in trips.enumerated() {
        try write(trip.0, zone, "trip_point_\(number)_type")
        try write("\(trip.1)", zone, "trip_point_\(number)_temp")
      }
      try write("40000", zone, "temp")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, _ zone: String, _ file: String) throws {
    try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(zone)/\(file)"))
  }

  @Test func aMachineThatWarms_hasLessToDo_beforeItSlowsItselfDown() throws {
    let effort = EffortControl(presets: ["medium", "fast", "ultrafast"], workers: 4, easesLoad: false)
    var changes: [(celsius: Double, workers: Int, preset: String?)] = [], seconds = 0.0, memory = ThermalMemory()
    func look(_ celsius: Double?) throws {
      seconds += 5
      try write(celsius.map { "\(Int($0 * 1000))" } ?? "", "thermal_zone1", "temp")
      let zones = memory.complete(ThermalZone.all(in: folder))
      let nearest = try #require(ThermalZone.nearest(to: nil, among: zones))
      let change = effort.feel(
        distance: nearest.distance, nearest.zone.type, at: MonotonicTime(nanoseconds: Int64(seconds * 1e9)))
      guard let change else { return }
      #expect(change.cause == .heat && change.message.hasPrefix("cpu-thermal: "))
      changes.append((celsius ?? 0, change.workers, change.preset))
    }
    for celsius in stride(from: 60.0, through: 84, by: 0.5) { try look(celsius) }
    #expect(changes.map(\.workers) == [2, 1, 1] && changes.map(\.preset) == ["medium", "fast", "ultrafast"])
    #expect(changes.allSatisfy { $0.celsius < 85 }, "\(changes)")
    // The sensor fails for ten minutes, and the other one is cool: nothing is undone.
    for _ in 0..<120 { try look(nil) }
    #expect(changes.count == 3 && effort.workers == 1)
    for _ in 0..<200 { try look(60) }
    #expect(effort.workers == 4 && effort.take.preset == "medium" && changes.count == 6)
  }
}
