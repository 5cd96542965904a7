public import Cameras
import Exposure
import Foundation
public import Frames

/// Measures a camera's gain in EV, and the delay of its settings, from frames of a scene in constant light.
///
/// From each number of the gain to the next, the frames get brighter by some EV at the same exposure time. The time is
/// halved if the brighter frame would clip, and doubled if the darker one drowns. The camera's settings are restored
/// afterwards.
///
/// Thread: one at a time; the camera is started and stopped here.
public struct GainCalibrator {
  private static let steps = 12
  /// EV over which the numbers are spread, as for a gain that multiplies.
  private static let spread = 6.0
  private static let frames = 6
  /// If frames with the same settings differ by more EV than this, the light has changed.
  static let tolerance = 0.15
  /// Frames after which any setting shows.
  static let settling = 6

  private let camera: MeteredCamera

  /// - Parameters:
  ///   - converter: required if the camera's images are encoded.
  ///   - isStopped: asked before each frame; if true, the measurement ends with an error of code `interrupted`.
  public init(
    _ camera: any Camera, converter: (any ImageConverter)?, isStopped: @escaping () -> Bool = { false }
  ) {
    self.camera = MeteredCamera(camera, converter, isStopped: isStopped)
  }

  /// - Throws: code `device` if exposure time or gain cannot be set, if the camera reports ISO, if the light changes
  ///   meanwhile, or if the frames do not respond to the gain.
  public func measure() throws(CamrecError) -> GainCalibration {
    let refusal = "cannot calibrate \(camera.name): its exposure time and its gain cannot both be set"
    return try camera.opened(baseISO: 100, calibration: nil, refusal: refusal) {
      (opened) throws(CamrecError) -> GainCalibration in
      guard opened.device.sensitivity.control != .iso else {
        throw CamrecError(.device, "there is nothing to calibrate: \(camera.name) reports ISO, so its EV are known")
      }
      guard opened.device.sensitivity.control == .gain,
        let range = try opened.controls.offers().first(where: { $0.control == .gain })?.range,
        range.lowerBound < range.upperBound
      else { throw CamrecError(.device, refusal) }
      let stream = try opened.start(delay: GainCalibrator.settling)
      return try calibration(
        Bench(
          controls: opened.controls, stream: stream, device: opened.device, longest: camera.format.frameRate), range)
    }
  }

  private func calibration(_ bench: Bench, _ range: ClosedRange<Double>) throws(CamrecError) -> GainCalibration {
    var bench = bench
    let points = try measure(&bench, range)
    var delay = 1
    // Frames arrive unevenly: use the longest of three delays.
    for _ in 0..<3 where !points.isEmpty { delay = max(delay, try bench.delay(atGain: points[0].number)) }
    guard let calibration = GainCalibration(points: points, delay: delay) else {
      throw CamrecError(
        .device, "the frames of \(camera.name) do not get brighter with its gain; is the lens covered?")
    }
    return calibration
  }

  private func measure(
    _ bench: inout Bench, _ range: ClosedRange<Double>
  ) throws(CamrecError) -> [GainCalibration.Point] {
    let numbers = GainCalibrator.numbers(in: range, steps: GainCalibrator.steps)
    var points: [GainCalibration.Point] = []
    for (low, high) in zip(numbers, numbers.dropFirst()) {
      guard let ev = try bench.difference(low, high) else {
        // A gain of 0 may be black at any exposure time: the scale then begins above it.
        if points.isEmpty { continue }
        break
      }
      if points.isEmpty { points.append(GainCalibration.Point(number: low, ev: 0)) }
      let last = points[points.count - 1].ev
      guard ev > 0.02 else { continue }
      points.append(GainCalibration.Point(number: high, ev: last + ev))
    }
    return points
  }

  /// Whole numbers, closer together at the low end.
  static func numbers(in range: ClosedRange<Double>, steps: Int) -> [Double] {
    let width = range.upperBound - range.lowerBound
    var numbers: [Double] = []
    for step in 0...steps {
      let part = (exp2(spread * Double(step) / Double(steps)) - 1) / (exp2(spread) - 1)
      let number = (range.lowerBound + width * part).rounded()
      if number > numbers.last ?? -.infinity { numbers.append(number) }
    }
    return numbers
  }

  /// The camera during the measurement.
  private struct Bench {
    let controls: any CameraControls
    let stream: ExposedStream
    let device: ExposureDevice
    private let shortest: Double
    private let longest: Double
    private var time: Double

    init(controls: any CameraControls, stream: ExposedStream, device: ExposureDevice, longest rate: FrameRate?) {
      self.controls = controls
      self.stream = stream
      self.device = device
      shortest = Double(device.limits.times.lowerBound) * 1e-9
      longest = min(Double(device.limits.times.upperBound) * 1e-9, rate?.frameDuration.doubleValue ?? .infinity)
      time = longest / 4
    }

    /// EV from one number of the gain to another; `nil` if no exposure time shows both.
    mutating func difference(_ low: Double, _ high: Double) throws(CamrecError) -> Double? {
      for _ in 0..<16 {
        try stream.set(.exposureTime, time, by: controls)
        let bright = try level(atGain: high)
        if bright.clipped * 50 > MeterReading.whole {
          guard time / 2 >= shortest else { return nil }
          time /= 2
          continue
        }
        let dark = try level(atGain: low)
        if dark.crushed * 20 > MeterReading.whole {
          guard time * 2 <= longest else { return nil }
          // Twice the time would clip the brighter frame: no time suits both.
          if bright.level > Stops(1.5) { return nil }
          time *= 2
          continue
        }
        let again = try level(atGain: high)
        guard (again.level - bright.level).magnitude <= Stops(GainCalibrator.tolerance) else {
          throw CamrecError(
            .device, "the light changed while \(controls.name) was calibrated; try again with constant light")
        }
        return (bright.level - dark.level).ev
      }
      return nil
    }

    private func level(atGain number: Double, time: Double) throws(CamrecError) -> MeterReading {
      try stream.set(.exposureTime, time, by: controls)
      return try level(atGain: number)
    }

    private func level(atGain number: Double) throws(CamrecError) -> MeterReading {
      try stream.set(.gain, number, by: controls)
      for _ in 0..<GainCalibrator.settling { _ = try stream.reading() }
      var level = 0, clipped = 0, crushed = 0
      for _ in 0..<GainCalibrator.frames {
        let reading = try stream.reading()
        level += reading.level.units
        clipped = max(clipped, reading.clipped)
        crushed = max(crushed, reading.crushed)
      }
      return MeterReading(level: Stops(units: level / GainCalibrator.frames), clipped: clipped, crushed: crushed)
    }

    /// Frames until half of a change by two stops of exposure time shows.
    func delay(atGain number: Double) throws(CamrecError) -> Int {
      var time = longest
      var before = try level(atGain: number, time: time)
      while before.clipped * 50 > MeterReading.whole, time / 8 >= shortest {
        time /= 2
        before = try level(atGain: number, time: time)
      }
      try stream.set(.exposureTime, time / 4, by: controls)
      for frames in 1...ExposureConfiguration.longestDelay {
        if try stream.reading().level < before.level - Stops(1) { return frames }
      }
      throw CamrecError(.device, "the frames of \(controls.name) do not respond to its exposure time")
    }
  }
}
