import Exposure
import Foundation
import Frames

/// A controller and a scripted scene, frame by frame.
struct ClosedLoop {
  var scene: ScriptedScene
  private(set) var controller: ExposureController
  /// By frame.
  private(set) var readings: [MeterReading] = []
  private(set) var decisions: [ExposureDecision] = []
  /// What the frame shows, EV as the camera has it.
  private(set) var exposures: [Double] = []

  static func configuration(
    _ mode: ExposureMode = .shutterPriority, rate: FrameRate, gains: GainScale, delay: Int, bias: Double = 0,
    isLocked: Bool = false, angle: Int = 180_000, source: Int = 0
  ) throws -> ExposureConfiguration {
    try ExposureConfiguration(
      mode: mode, isLocked: isLocked, bias: Stops(bias), frameRate: rate, shutterAngle: angle,
      limits: ExposureLimits(times: 100_000...1_000_000_000, timeStep: 100_000_000, gains: gains), delay: delay,
      source: source)
  }

  /// - Parameter gain: EV of gain that makes the scene grey at 180° under light 0.
  init(
    seed: UInt64, deviation: Double = 1.2, rate: FrameRate, gains: GainScale, delay: Int, gain: Double,
    mode: ExposureMode = .shutterPriority, realDelay: Int? = nil
  ) throws {
    let time = Double(Int64(5000 / rate.framesPerSecond + 0.5)) * 1e-4
    scene = ScriptedScene(
      seed: seed, deviation: deviation, delay: realDelay ?? delay, rate: rate, reference: log2(time) + gain)
    let current = ExposureSetting(exposureTime: time, gain: gain)
    controller = ExposureController(
      try Self.configuration(mode, rate: rate, gains: gains, delay: delay), current: current)
    scene.set(controller.decision.setting, after: nil)
  }

  mutating func run(frames: Int) {
    for _ in 0..<frames {
      let index = readings.count
      let (measured, truth) = scene.frame(index)
      let shown = scene.shown(in: index)
      exposures.append(log2(shown.exposureTime) + shown.gain * scene.gainSlope)
      readings.append(truth)
      take(.frame(ExposureMeasurement(frame: index, reading: measured)))
    }
  }

  mutating func run(seconds: Double) { run(frames: Int((seconds * scene.rate.framesPerSecond).rounded(.up))) }

  mutating func take(_ event: ExposureEvent) {
    let decision = controller.receive(event)
    if case .frame = event { decisions.append(decision) }
    if decision.isChange { scene.set(decision.setting, after: readings.isEmpty ? nil : readings.count - 1) }
  }

  var seconds: Double { Double(readings.count) / scene.rate.framesPerSecond }
  func frames(_ seconds: Double) -> Int { Int((seconds * scene.rate.framesPerSecond).rounded(.up)) }

  /// Frames from `start` until the picture stays within `tolerance` EV of grey.
  func settleTime(from start: Int, within tolerance: Double) -> Int {
    let last = readings.indices.last { $0 >= start && abs(readings[$0].level.ev) > tolerance }
    return last.map { $0 + 1 - start } ?? 0
  }

  /// How far the picture passed grey on the other side, once it no longer clipped: EV.
  func overshoot(from start: Int, sign: Double) -> Double {
    let free = readings.indices.first { $0 > start && readings[$0].clipped < 512 } ?? start
    return readings[free...].map { -sign * $0.level.ev }.max() ?? 0
  }
}
