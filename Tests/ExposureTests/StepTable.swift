import Exposure
import Foundation
import Frames
import TestKit
import Testing

/// The figures of `Benchmarks/README.md`, on demand.
///
///     EXPOSURE_TABLE=1 swift test -c release --filter StepTable
///     EXPOSURE_TRACE=FILE swift test -c release --filter StepTable     a trace of two steps
struct StepTable {
  private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  @Test(.enabled(if: environment("EXPOSURE_TABLE") != nil), arguments: ["24", "120"])
  func figures(_ rate: String) throws {
    let cases = StepTests.Case.every(rates: [rate])
    var lines = ["| \(rate) fps, gain, step | 1 frame | 2 | 3 | 4 | 5 |", "| --- | --- | --- | --- | --- | --- |"]
    for thirds in [false, true] {
      for step in [1.0, -1, 3, -3, 6, -6] {
        var line = "| \(thirds ? "third stops" : "continuous"), \(step > 0 ? "+" : "−")\(Int(abs(step))) EV |"
        for delay in 1...5 {
          let results = try cases.filter { ($0.gains.halfStep > 0) == thirds && $0.step == step && $0.delay == delay }
            .map { try $0.run() }
          #expect(!results.isEmpty)
          let settled = results.map(\.settled).max()!, clipped = results.map(\.clipped).max()!
          line += String(format: " %.2f s, %.2f EV", settled, max(0, results.map(\.overshoot).max()!))
          line += clipped > 0 ? String(format: ", %.2f s |", clipped) : " |"
        }
        lines.append(line)
      }
    }
    print(lines.joined(separator: "\n"))
  }

  /// Microseconds for a frame, best of five hundreds.
  @Test(.enabled(if: environment("EXPOSURE_TABLE") != nil), arguments: [PixelLayout.nv12, .p010])
  func costOfAReading(_ layout: PixelLayout) {
    var random = SplitMix(seed: 1)
    let noise = (0..<4096).map { _ in Int(random.unit() * 200) << (layout.bitDepth - 8) }
    let frame = MeterTests.frame(layout, width: 1920, height: 1080) { x, y in noise[(x &* 31 &+ y &* 17) & 4095] }
    for mode in [MeteringMode.average, .centreWeighted, .highlightWeighted, .spot(x: 0.5, y: 0.5)] {
      var meter = Meter(format: frame.format, mode: mode), best = Duration.seconds(1)
      for _ in 0..<5 {
        best = min(best, ContinuousClock().measure { for _ in 0..<100 { _ = meter.read(frame) } })
      }
      #expect(meter.read(frame) == Meter.reading(of: frame, mode), "the measured readings are the meter's own")
      print(layout, mode, best / 100)
    }
  }

  @Test(.enabled(if: environment("EXPOSURE_TRACE") != nil))
  func trace() throws {
    let rate = FrameRate(parsing: "24000/1001")!, gains = GainScale.thirds
    let configuration = try ClosedLoop.configuration(rate: rate, gains: gains, delay: 3)
    var controller = ExposureController(configuration)
    var scene = ScriptedScene(seed: 11, deviation: 1.2, delay: 3, rate: rate, reference: log2(0.0209) + 2.6)
    scene.light = { $0 < 1 ? 0 : $0 < 2 ? 3 : -2.5 }
    scene.set(controller.decision.setting, after: nil)
    var lines = [
      ExposureTrace.heading, ExposureTrace.line(.configure(configuration, current: nil)),
      ExposureTrace.line(controller.decision),
    ]
    for frame in 0..<72 {
      let event = ExposureEvent.frame(ExposureMeasurement(frame: frame, reading: scene.frame(frame).measured))
      let decision = controller.receive(event)
      if decision.isChange { scene.set(decision.setting, after: frame) }
      lines += [ExposureTrace.line(event), ExposureTrace.line(decision)]
    }
    let changes = lines.filter { $0.hasPrefix("=") && $0.contains("change=1") }
    #expect(changes.count > 10, "both steps are followed")
    let text = lines.joined(separator: "\n") + "\n"
    try text.write(toFile: Self.environment("EXPOSURE_TRACE")!, atomically: true, encoding: .utf8)
  }
}

extension Meter {
  /// A new meter's.
  fileprivate static func reading(of frame: borrowing Frame, _ mode: MeteringMode) -> MeterReading {
    var meter = Meter(format: frame.format, mode: mode)
    return meter.read(frame)
  }
}
