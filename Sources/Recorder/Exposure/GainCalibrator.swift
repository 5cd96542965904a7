public import Cameras
import Exposure
import Foundation
public import Frames

/// Measures what a camera's gain comes to, and how late settings show, from its pictures of a scene in constant light.
///
/// From each number of the gain to the next one the picture grows brighter by so many EV at the same exposure time; the
/// time is halved where the brighter one would clip, and doubled where the darker one drowns. The camera is put back as
/// it was found.
///
/// Thread: one at a time; the camera is started and stopped here.
public struct GainCalibrator {
  private static let steps = 12
  /// EV by which numbers are spread, as those of a gain that multiplies.
  private static let spread = 6.0
  private static let frames = 6
  /// EV by which a picture may differ from the one before with the same settings until the light is said to have
  /// changed.
  static let tolerance = 0.15
  /// Frames after which any setting shows.
  static let settling = 6

  private let camera: any Camera
  private let converter: (any ImageConverter)?
  private let isStopped: () -> Bool

  /// - Parameters:
  ///   - converter: needed where the camera's images are encoded.
  ///   - isStopped: asked before each picture; what is underway then ends with an error of code `interrupted`.
  public init(
    _ camera: any Camera, converter: (any ImageConverter)?, isStopped: @escaping () -> Bool = { false }
  ) {
    self.camera = camera
    self.converter = converter
    self.isStopped = isStopped
  }

  /// - Throws: code `device` where exposure time and gain cannot be set, the light changes meanwhile, or the pictures
  ///   do not answer to the gain.
  public func measure() throws(CamrecError) -> GainCalibration {
    guard let controls = camera.controls, let device = try ExposureDevice.open(controls, baseISO: 100),
      device.sensitivity.control == .gain,
      let range = try controls.offers().first(where: { $0.control == .gain })?.range,
      range.lowerBound < range.upperBound
    else {
      throw CamrecError(
        .device, "\(camera.name) has nothing to be calibrated: that takes an exposure time and a gain that can be set")
    }
    defer { controls.restore() }
    try camera.start()
    defer { camera.stop() }
    let stream = ExposedStream(camera, converter, device, delay: GainCalibrator.settling, isStopped: isStopped)
    var bench = Bench(controls: controls, stream: stream, device: device, longest: camera.format.frameRate)
    let points = try measure(&bench, range)
    var delay = 1
    // Frames arrive unevenly: the most of three.
    for _ in 0..<3 where !points.isEmpty { delay = max(delay, try bench.delay(atGain: points[0].number)) }
    guard let calibration = GainCalibration(points: points, delay: delay) else {
      throw CamrecError(
        .device, "the pictures of \(camera.name) do not grow brighter with its gain; is its lens covered?")
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
        // A gain of 0 may be black at any time: the scale begins above it.
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

  /// Whole numbers, the closer the lower they are.
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

  /// The camera while it is measured.
  private struct Bench {
    let controls: any CameraControls
    let stream: ExposedStream
    let device: ExposureDevice
    private let shortest: Double
    private let longest: Double
    private var time: Double

    init(controls: any CameraControls, stream: ExposedStream, device: ExposureDevice, longest rate: FrameRate) {
      self.controls = controls
      self.stream = stream
      self.device = device
      shortest = Double(device.limits.times.lowerBound) * 1e-9
      longest = min(Double(device.limits.times.upperBound) * 1e-9, rate.frameDuration.doubleValue)
      time = longest / 4
    }

    /// EV from one number of the gain to another; `nil` where no exposure time shows both.
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
          // Where twice the time clips the brighter one, these two do not go together.
          if bright.level > Stops(1.5) { return nil }
          time *= 2
          continue
        }
        let again = try level(atGain: high)
        guard (again.level - bright.level).magnitude <= Stops(GainCalibrator.tolerance) else {
          throw CamrecError(
            .device, "the light changed while \(controls.name) was measured; try again with a scene that stays as it is"
          )
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

    /// Frames until two stops less of exposure time show by half.
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
      throw CamrecError(.device, "the pictures of \(controls.name) do not answer to its exposure time")
    }
  }
}
