public import Cameras
public import Exposure
import Foundation
public import Frames

/// Takes the frames of a bracketed series, each when the camera and its pictures show its exposure.
///
/// The gain stays as the camera has it. The camera's exposure is put back afterwards, also after an error.
///
/// Thread: one at a time; the camera is started and stopped here.
public struct BracketCapture {
  /// A frame that was taken.
  public struct Shot: Hashable, Sendable {
    /// From 0, in the order of the plan.
    public let set: Int
    public let frame: Int
    public let speed: ShutterSpeed
    /// Seconds that the camera read back.
    public let exposureTime: Double
    /// `nil` where the camera has no gain that can be set.
    public let iso: Double?
    /// Nobody has measured what the camera's gain comes to: its ISO is relative to the lowest.
    public let isRelative: Bool
  }

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

  /// Takes every frame of `sets`, in order.
  ///
  /// - Parameters:
  ///   - baseISO: of the lowest gain of a camera that tells no ISO.
  ///   - save: keeps a picture.
  /// - Throws: code `usage`, before the first frame, for speeds that the camera does not reach at its rate; code
  ///   `device` where it fails, or its pictures do not show what it was set to; what `save` throws.
  public func take(
    _ sets: [[ShutterSpeed]], baseISO: Double, save: (Shot, consuming Frame) throws(CamrecError) -> Void
  ) throws(CamrecError) {
    let calibration = camera.controls.flatMap { GainCalibration.kept(identity: $0.identity) }
    guard let controls = camera.controls,
      let device = try ExposureDevice.open(controls, baseISO: baseISO, calibration: calibration)
    else {
      throw CamrecError(
        .device, "\(camera.name) does not let its exposure time be set, so that it cannot take a bracketed series")
    }
    defer { controls.restore() }
    try refuseBeyond(device, sets.flatMap(\.self))
    try camera.start()
    defer { camera.stop() }
    let delay = controls.delay ?? calibration?.delay ?? ExposureService.usualDelay
    let stream = ExposedStream(camera, converter, device, delay: delay, isStopped: isStopped)
    var setting = try device.current()
    for (number, set) in sets.enumerated() {
      for (frame, speed) in set.enumerated() {
        setting.nanoseconds = time(of: speed)
        setting = try stream.expose(setting)
        let sensitivity = device.sensitivity
        let shot = Shot(
          set: number, frame: frame, speed: speed, exposureTime: setting.exposureTime,
          iso: sensitivity.told(setting.gainStops), isRelative: !sensitivity.isCalibrated)
        try save(shot, try stream.next())
      }
    }
  }

  /// Those of thirds of a stop, and not longer than a frame where they only seem so: 1/24 of a table is 1/25.4.
  private func time(of speed: ShutterSpeed) -> Int64 { Int64((speed.exactSeconds * 1e9).rounded()) }

  private func refuseBeyond(_ device: ExposureDevice, _ speeds: [ShutterSpeed]) throws(CamrecError) {
    let frame = Int64(camera.format.frameRate.frameDuration.doubleValue * 1e9)
    let least = device.limits.times.lowerBound, most = min(device.limits.times.upperBound, frame)
    let beyond = Set(speeds).sorted().filter { time(of: $0) < least || time(of: $0) > most }
    guard !beyond.isEmpty else { return }
    let names = beyond.map(\.name).joined(separator: ", ")
    let isLong = beyond.contains { time(of: $0) > most }
    let (shortest, longest) = (Double(least) * 1e-9, Double(most) * 1e-9)
    throw CamrecError(
      .usage,
      "\(camera.name) cannot expose \(names): at \(camera.format.frameRate) fps it has \(ExposureWords.time(shortest)) to "
        + ExposureWords.time(longest) + (isLong ? "; a lower --fps allows longer ones" : "; choose slower speeds"))
  }
}
