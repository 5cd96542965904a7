import Cameras
import Exposure
import Foundation
import Frames

/// Measures a camera's delay and gain in two to four seconds of its frames, before a recording begins.
///
/// The gain is stepped from its lowest to its highest number, and the frames get brighter by some EV each time. If they
/// would clip, the exposure time is halved, and the previous number is measured again. `GainCalibrator` measures more
/// points, each three times over six frames.
///
/// Thread: one at a time; the camera runs, and its exposure is not restored.
struct StartCalibration {
  /// The result of the measurement.
  struct Result {
    let calibration: GainCalibration
    /// The whole range of the gain was measured; otherwise the rest is extrapolated (`GainCalibration.extended`).
    let isWhole: Bool
  }

  private static let steps = 8
  /// The factor by which exposure times are shortened at once: more would lose the shadows with the highlights.
  private static let part = 2.0
  /// The factor of exposure time for measuring the delay.
  private static let step = 4.0

  private let controls: any CameraControls
  private let stream: ExposedStream
  private let control: CameraControl
  private let range: ClosedRange<Double>
  private let shortest: Double
  private let longest: Double
  private var time: Double
  /// Frames until one shows a new setting.
  private var settling = GainCalibrator.settling

  /// - Throws: code `device` for a camera without gain.
  init(
    _ controls: any CameraControls, _ device: ExposureDevice, _ stream: ExposedStream, rate: FrameRate
  ) throws(CamrecError) {
    guard let control = device.sensitivity.control,
      let range = try controls.offers().first(where: { $0.control == control })?.range,
      range.lowerBound < range.upperBound
    else { throw CamrecError(.device, "it has no gain that can be measured") }
    self.controls = controls
    self.stream = stream
    self.control = control
    self.range = range
    shortest = Double(device.limits.times.lowerBound) * 1e-9
    longest = min(Double(device.limits.times.upperBound) * 1e-9, rate.frameDuration.doubleValue)
    time = max(shortest, longest / 2)
  }

  /// - Throws: code `device` if the light changes meanwhile, or if the frames do not respond; code `interrupted`.
  mutating func measure() throws(CamrecError) -> Result {
    let numbers = GainCalibrator.numbers(in: range, steps: StartCalibration.steps)
    let first = try firstReadable(numbers)
    let delay = try delay(at: numbers[first])
    // The first frame that shows a setting, and one more because frames may arrive unevenly.
    settling = delay + 1
    // ISO speeds need no measurement.
    guard control == .gain else {
      let points = [range.lowerBound, range.upperBound].map {
        GainCalibration.Point(number: $0, ev: log2($0 / range.lowerBound))
      }
      guard let calibration = GainCalibration(points: points, delay: delay) else { throw doesNotAnswer }
      return Result(calibration: calibration, isWhole: true)
    }
    let start = time, before = try level(at: numbers[first])
    let (points, seen) = try points(Array(numbers[first...]))
    try stream.set(.exposureTime, start, by: controls)
    guard (try level(at: numbers[first]).level - before.level).magnitude <= Stops(GainCalibrator.tolerance) else {
      throw CamrecError(.device, "the light changed meanwhile")
    }
    guard let calibration = GainCalibration(points: points, delay: delay) else { throw doesNotAnswer }
    // The lowest number of many cameras is black in any light.
    let unseen = numbers[..<first].dropFirst()
    return Result(
      calibration: unseen.isEmpty ? calibration : calibration.extended(down: unseen),
      isWhole: unseen.isEmpty && seen == numbers.last)
  }

  private var doesNotAnswer: CamrecError {
    CamrecError(.device, "its frames do not get brighter with the gain; is the lens covered?")
  }

  // MARK: Steps

  /// The lowest number of the gain whose frames can be read; sets `time` for that.
  private mutating func firstReadable(_ numbers: [Double]) throws(CamrecError) -> Int {
    var index = 0
    try stream.set(.exposureTime, time, by: controls)
    for _ in 0..<12 {
      let reading = try level(at: numbers[index])
      if reading.isClipped {
        guard time / StartCalibration.part >= shortest else {
          throw CamrecError(.device, "there is too much light")
        }
        time /= StartCalibration.part
        try stream.set(.exposureTime, time, by: controls)
      } else if reading.isDrowned {
        if time * 2 <= longest {
          time *= 2
          try stream.set(.exposureTime, time, by: controls)
        } else {
          index += 1
          guard index + 1 < numbers.count else { throw doesNotAnswer }
        }
      } else {
        return index
      }
    }
    throw CamrecError(.device, "the scene has too much contrast")
  }

  /// Frames until half of a change by two stops shows: the greater number of down and up.
  private func delay(at number: Double) throws(CamrecError) -> Int {
    let bright = try level(at: number)
    guard time / StartCalibration.step >= shortest else {
      throw CamrecError(.device, "the range of its exposure times is too small")
    }
    let middle = bright.level - Stops(1)
    try stream.set(.exposureTime, time / StartCalibration.step, by: controls)
    let down = try frames { $0.level < middle }
    for _ in 0..<GainCalibrator.settling { _ = try stream.reading() }
    try stream.set(.exposureTime, time, by: controls)
    return max(down, try frames { $0.level > middle })
  }

  private func frames(until shows: (MeterReading) -> Bool) throws(CamrecError) -> Int {
    for frames in 1...ExposureConfiguration.longestDelay where shows(try stream.reading()) { return frames }
    throw CamrecError(.device, "its frames do not respond to the exposure time")
  }

  /// - Returns: the points, and the last number measured, which may have changed nothing.
  private mutating func points(
    _ numbers: [Double]
  ) throws(CamrecError) -> (points: [GainCalibration.Point], seen: Double) {
    var seen = numbers[0]
    var points = [GainCalibration.Point(number: numbers[0], ev: 0)]
    var reference = try level(at: numbers[0]).level
    for number in numbers.dropFirst() {
      let last = points[points.count - 1]
      var now = try level(at: number)
      let isSeen = !now.isClipped
      while now.isClipped {
        guard time / StartCalibration.part >= shortest else { return (points, seen) }
        time /= StartCalibration.part
        try stream.set(.exposureTime, time, by: controls)
        now = try level(at: number)
      }
      if !isSeen {
        let again = try level(at: last.number)
        // A frame that is already black cannot get darker: the step would look smaller than it is.
        guard !again.isDrowned else { return (points, seen) }
        reference = again.level
      }
      let ev = (now.level - reference).ev
      seen = number
      guard ev > 0.02 else { continue }
      points.append(GainCalibration.Point(number: number, ev: last.ev + ev))
      reference = now.level
    }
    return (points, seen)
  }

  // MARK: The camera

  private func level(at number: Double) throws(CamrecError) -> MeterReading {
    try stream.set(control, number, by: controls)
    for _ in 1..<settling { _ = try stream.reading() }
    return try stream.reading()
  }
}

extension MeterReading {
  /// Too much of the frame clips to compare it with others.
  fileprivate var isClipped: Bool { clipped * 50 > MeterReading.whole }
  fileprivate var isDrowned: Bool { crushed * 10 > MeterReading.whole }
}
