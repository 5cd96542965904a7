import Cameras
import Exposure
import Foundation
import Frames
import Recorder
import Testing

/// The service in closed loop with the simulated camera, as its pictures show it: noise, delay, clipping and all.
@Suite struct ExposureClosedLoopTests {
  /// What each picture shows.
  private struct Seen {
    /// EV around grey, as the service metered it.
    var levels: [Double] = []
    /// Shares of the picture.
    var clipped: [Double] = []
    var isos: [Double] = []
  }

  private static func run(
    _ options: String, faults: String = "", frames: Int, width: Int = 96, height: Int = 54
  ) throws -> Seen {
    let script = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt").path
    try faults.write(toFile: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: script) }
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,faults=\(script),\(options)"),
      request: CameraRequest(width: width, height: height, frameRate: FrameRate(parsing: "24"), pixelFormat: "nv12"),
      clock: SimulatedClock(pace: .pulled), frames: 2)
    let opened = try ExposureService.open(camera, options: ExposureOptions())
    let service = try #require(opened.service)
    defer { service.close() }
    try camera.start()
    defer { camera.stop() }
    var seen = Seen(), meter: Meter?
    while seen.levels.count < frames {
      guard case .frame(let captured) = try camera.next() else { continue }
      let sequence = captured.sequence, iso = captured.exposure?.iso
      let taken = captured.image.withFrame { frame in
        if meter == nil { meter = Meter(format: frame.format, mode: .average) }
        seen.clipped.append(Double(meter?.read(frame).clipped ?? 0) / Double(MeterReading.whole))
        return service.see(frame, sequence: sequence, told: nil) { _ in }
      }
      seen.levels.append(try #require(taken?.meteredEV))
      seen.isos.append(try #require(iso))
    }
    return seen
  }

  /// Factors of ±1, ±3 and ±6 EV, and the light before them: the matching end of the gain's range for six stops.
  private static let steps: [(factor: Double, light: Double)] = [
    (2, 0.25), (0.5, 0.25), (8, 0.0625), (0.125, 0.5), (64, 1.0 / 64), (1.0 / 64, 3),
  ]

  @Test(arguments: steps.indices, 1...5)
  func aStepOfLightSettlesWithoutOvershoot_andStopsClipping(index: Int, delay: Int) throws {
    let (factor, light) = Self.steps[index], start = 48
    for (sensitivity, halfStep) in [("iso", 0.0), ("thirds", 1.0 / 6)] {
      let seen = try Self.run(
        "light=\(light),sensitivity=\(sensitivity),delay=\(delay),seed=\(delay)", faults: "light \(start) \(factor)",
        frames: 120)
      let name = "\(sensitivity), \(log2(factor)) EV"
      #expect(seen.levels[start - 12..<start].allSatisfy { abs($0) <= 0.1 + halfStep }, "\(name): met before")
      let settled = seen.levels.lastIndex { abs($0) > 0.1 + halfStep }.map { $0 + 1 - start } ?? 0
      #expect(settled > 0 && settled <= 24, "\(name): \(settled) frames, \(seen.levels[start...])")
      // As much as clips when all is well again is the scene's.
      let usual = seen.clipped[110]
      let clipped = seen.clipped.lastIndex { $0 > usual + 0.125 }.map { $0 + 1 - start } ?? 0
      #expect(clipped <= 12, "\(name): clips for \(clipped) frames")
      let free = seen.clipped.indices.first { $0 > start && seen.clipped[$0] <= usual + 0.125 } ?? start
      let overshoot = seen.levels[free...].map { factor > 1 ? -$0 : $0 }.max() ?? 0
      #expect(overshoot <= 0.15 + halfStep, "\(name): \(overshoot) EV")
    }
  }

  @Test(arguments: [("iso", 2), ("thirds", 3), ("thirds", 5)])
  func tenMinutesOfConstantLightChangeNothing(sensitivity: String, delay: Int) throws {
    let seen = try Self.run(
      "light=0.11,sensitivity=\(sensitivity),delay=\(delay),seed=7", frames: 14_400 + 48, width: 64, height: 36)
    #expect(Set(seen.isos.dropFirst(48)).count == 1)
    #expect(seen.levels.dropFirst(48).allSatisfy { abs($0) <= 0.35 }, "also while the ball passes")
  }
}
