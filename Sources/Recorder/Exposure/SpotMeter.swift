public import Cameras
import Exposure
import Foundation
public import Frames

/// Measures the exposure time that a part of the picture needs, at the camera's present ISO.
///
/// If that part clips or drowns, the exposure is changed by up to three stops at a time until it does neither. The
/// camera's exposure is restored afterwards.
///
/// Thread: one at a time; the camera is started and stopped here.
public struct SpotMeter {
  /// The exposure that the spot needs.
  public struct Reading: Hashable, Sendable {
    /// Seconds that render the spot as 18 % grey.
    public let exposureTime: Double
    /// The ISO speed for this time; `nil` if the camera's gain cannot be set.
    public let iso: Double?
    /// The camera's gain is not calibrated: its ISO is relative to the lowest.
    public let isRelative: Bool
    /// The spot clips even at the camera's shortest exposure: the true time is shorter.
    public let isClipped: Bool
    /// The spot is too dark to read even at the camera's longest exposure.
    public let isCrushed: Bool
  }

  /// Frames averaged for a reading.
  private static let frames = 8
  private static let rounds = 8

  private let camera: MeteredCamera

  /// - Parameters:
  ///   - converter: required if the camera's images are encoded.
  ///   - isStopped: asked before each frame; if true, the reading ends with an error of code `interrupted`.
  public init(
    _ camera: any Camera, converter: (any ImageConverter)?, isStopped: @escaping () -> Bool = { false }
  ) {
    self.camera = MeteredCamera(camera, converter, isStopped: isStopped)
  }

  /// - Parameters:
  ///   - x, y: fractions of the frame's width and height, 0…1 from the upper left corner.
  ///   - baseISO: the ISO of the lowest gain, for a camera that reports no ISO.
  /// - Throws: code `device` if the camera fails, or its exposure cannot be read or set.
  public func read(x: Double, y: Double, baseISO: Double = 100) throws(CamrecError) -> Reading {
    try camera.opened(
      baseISO: baseISO, calibration: camera.calibration,
      refusal: "cannot meter with \(camera.name): its exposure time cannot be set"
    ) { (opened) throws(CamrecError) -> Reading in
      try read(opened.device, try opened.start(), .spot(x: x, y: y))
    }
  }

  private func read(
    _ device: ExposureDevice, _ stream: ExposedStream, _ spot: MeteringMode
  ) throws(CamrecError) -> Reading {
    let frame = camera.format.frameRate?.frameDuration.doubleValue ?? .infinity
    let longest = min(frame, Double(device.limits.times.upperBound) * 1e-9)
    var setting = try device.current()
    var meter: Meter?
    for round in 1...SpotMeter.rounds {
      setting = try stream.expose(setting)
      let reading = try average(stream, &meter, spot)
      // Half a stop below the top, noise already clips.
      let isClipped = reading.clipped * 20 > MeterReading.whole, isCrushed = reading.crushed * 2 > MeterReading.whole
      let shift = isClipped ? -3 : isCrushed ? 3 : 0.0
      let wish = min(max(setting.exposureTime * exp2(shift), Double(device.limits.times.lowerBound) * 1e-9), longest)
      guard shift != 0, abs(log2(wish / setting.exposureTime)) > 0.1, round < SpotMeter.rounds else {
        return Reading(
          exposureTime: setting.exposureTime * exp2(-reading.level.ev),
          iso: device.sensitivity.told(setting.gainStops), isRelative: !device.sensitivity.isCalibrated,
          isClipped: isClipped, isCrushed: isCrushed)
      }
      setting.nanoseconds = Int64((wish * 1e9).rounded())
    }
    preconditionFailure("the last round returns")
  }

  private func average(
    _ stream: ExposedStream, _ meter: inout Meter?, _ mode: MeteringMode
  ) throws(CamrecError) -> MeterReading {
    var level = 0, clipped = 0, crushed = 0
    for _ in 0..<SpotMeter.frames {
      let frame = try stream.next()
      if meter == nil { meter = Meter(format: frame.format, mode: mode) }
      guard let reading = meter?.read(frame) else { preconditionFailure("a meter was made") }
      level += reading.level.units
      clipped += reading.clipped
      crushed += reading.crushed
    }
    return MeterReading(
      level: Stops(units: level / SpotMeter.frames), clipped: clipped / SpotMeter.frames,
      crushed: crushed / SpotMeter.frames)
  }
}
