import Color
import Exposure
import Foundation
import Frames
import TestKit

/// A scene of many luminances under light that changes with time, and a camera that looks at it: exposure that shows
/// frames later, a sensor that clips, 10-bit codes, noise.
///
/// Its parts lie beside one another, eight in each of the meter's cells.
///
/// Codes are Rec. 709's, full at 2.47 EV above grey, and read by the same histogram as a frame's.
struct ScriptedScene {
  /// The parts of the scene in EV about their middle, which is grey at `reference` under light 0.
  var parts: [Double]
  /// EV by seconds.
  var light: (Double) -> Double = { _ in 0 }
  /// EV added to single parts, by seconds and part.
  var moving: (Double, Int) -> Double? = { _, _ in nil }
  /// Standard deviation of a frame's reading, EV: what flicker, compression and shot noise leave.
  var noise = 0.02
  /// What an EV of gain really gives.
  var gainSlope = 1.0
  /// Frames until a setting shows.
  var delay: Int
  let rate: FrameRate
  /// log2 of time in seconds, plus gain, that makes the scene grey.
  let reference: Double

  private var settings: [(frame: Int, setting: ExposureSetting)] = []
  private var random: SplitMix
  private var histogram = LuminanceHistogram(curve: MeterCurve(color: .rec709, bitDepth: 10))

  /// - Parameter deviation: of the parts' normal distribution, EV.
  init(seed: UInt64, deviation: Double, delay: Int, rate: FrameRate, reference: Double) {
    random = SplitMix(seed: seed)
    self.delay = delay
    self.rate = rate
    self.reference = reference
    var random = SplitMix(seed: seed ^ 0x5CE7E)
    let drawn = (0..<96).map { _ in ScriptedScene.normal(&random) * deviation }
    let middle = drawn.reduce(0, +) / 96
    parts = drawn.map { $0 - middle }
  }

  /// Twelve uniform numbers make a normal one, near enough and bounded at 6.
  static func normal(_ random: inout SplitMix) -> Double { (0..<12).reduce(-6) { sum, _ in sum + random.unit() } }

  /// The camera is told after `frame`; `nil` before the first.
  mutating func set(_ setting: ExposureSetting, after frame: Int?) {
    settings.append((frame.map { $0 + delay } ?? .min, setting))
  }

  func shown(in frame: Int) -> ExposureSetting { settings.last { $0.frame <= frame }!.setting }

  /// What the meter reads, with noise; and what it would read without.
  mutating func frame(_ index: Int) -> (measured: MeterReading, truth: MeterReading) {
    let noise = ScriptedScene.normal(&random) * noise
    let truth = reading(index, noise: 0)
    return (noise == 0 ? truth : reading(index, noise: noise), truth)
  }

  private mutating func reading(_ index: Int, noise: Double) -> MeterReading {
    let seconds = Double(index) / rate.framesPerSecond
    let setting = shown(in: index)
    let exposure = log2(setting.exposureTime) + setting.gain * gainSlope - reference + light(seconds) + noise
    histogram.clear()
    var sums = Array(repeating: (levels: 0, blind: 0), count: MeterCells.count)
    let partsOfCell = parts.count / MeterCells.count
    for (part, level) in parts.enumerated() {
      let level = Stops((moving(seconds, part) ?? level) + exposure)
      // The first code that is as bright: codes fall dense enough above 1/100 of grey.
      var low = 0, high = 940
      while low < high {
        let middle = (low + high) / 2
        if histogram.curve.levels[middle] < level { low = middle + 1 } else { high = middle }
      }
      histogram.add(code: low)
      sums[part / partsOfCell].levels += histogram.curve.levels[low].units
      if low >= histogram.curve.clippedFrom || low == 0 { sums[part / partsOfCell].blind += 1 }
    }
    var reading = histogram.reading(.bounded), cells = MeterCells()
    for (index, sum) in sums.enumerated() where sum.blind * 2 <= partsOfCell {
      cells[index] = Stops(units: sum.levels / partsOfCell)
    }
    reading.cells = cells
    return reading
  }
}

extension GainScale {
  /// 0 to 7 EV.
  static let thirds = GainScale.steps(perEV: 3, to: Stops(7))
  static let fine = GainScale.continuous(Stops.zero...Stops(7))

  /// Half a step, EV.
  var halfStep: Double { if case .steps = self { 1.0 / 6 } else { 0 } }
}
