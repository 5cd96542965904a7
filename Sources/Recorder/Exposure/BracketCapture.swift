public import Cameras
public import Exposure
import Foundation
public import Frames
import RecorderAPI

/// Takes the frames of a bracketed series, each once the camera and its frames show the exposure.
///
/// The gain is left alone. The camera's exposure is restored afterwards, even after an error.
///
/// Thread: one at a time; the camera is started and stopped here.
public struct BracketCapture {
  /// A frame that was taken.
  public struct Shot: Hashable, Sendable {
    /// From 0, in the order of the plan.
    public let set: Int
    public let frame: Int
    public let speed: ShutterSpeed
    /// The exposure time that the camera reported, in seconds.
    public let exposureTime: Double
    /// `nil` if the camera's gain cannot be set.
    public let iso: Double?
    /// The camera's gain is not calibrated: its ISO is relative to the lowest.
    public let isRelative: Bool
  }

  private let camera: MeteredCamera

  /// - Parameters:
  ///   - converter: required if the camera's images are encoded.
  ///   - isStopped: asked before each frame; if true, the series ends with an error of code `interrupted`.
  public init(
    _ camera: any Camera, converter: (any ImageConverter)?, isStopped: @escaping () -> Bool = { false }
  ) {
    self.camera = MeteredCamera(camera, converter, isStopped: isStopped)
  }

  /// Takes every frame of `sets`, in order.
  ///
  /// - Parameters:
  ///   - baseISO: the ISO of the lowest gain, for a camera that reports no ISO.
  ///   - save: saves a frame.
  /// - Throws: code `usage`, before the first frame, for speeds that the camera cannot reach at its rate; code `device`
  ///   if it fails, or if its frames do not show the exposure; and the errors of `save`.
  public func take(
    _ sets: [[ShutterSpeed]], baseISO: Double, save: (Shot, consuming Frame) throws(CamrecError) -> Void
  ) throws(CamrecError) {
    try camera.opened(
      baseISO: baseISO, calibration: camera.calibration,
      refusal: "cannot take a bracketed series: the exposure time of \(camera.name) cannot be set"
    ) { (opened) throws(CamrecError) in
      try refuseBeyond(opened.device, sets.flatMap(\.self))
      try take(sets, from: try opened.start(), opened.device, save)
    }
  }

  private func take(
    _ sets: [[ShutterSpeed]], from stream: ExposedStream, _ device: ExposureDevice,
    _ save: (Shot, consuming Frame) throws(CamrecError) -> Void
  ) throws(CamrecError) {
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

  /// The exact time in thirds of a stop: 1/24 in a table is really 1/25.4, which fits a frame at 24 fps.
  private func time(of speed: ShutterSpeed) -> Int64 { Int64((speed.exactSeconds * 1e9).rounded()) }

  private func refuseBeyond(_ device: ExposureDevice, _ speeds: [ShutterSpeed]) throws(CamrecError) {
    let rate = camera.format.frameRate, frame = rate.map { Int64($0.frameDuration.doubleValue * 1e9) }
    let least = device.limits.times.lowerBound, most = min(device.limits.times.upperBound, frame ?? .max)
    let beyond = Set(speeds).sorted().filter { time(of: $0) < least || time(of: $0) > most }
    guard !beyond.isEmpty else { return }
    let names = beyond.map(\.name).joined(separator: ", ")
    let isLong = beyond.contains { time(of: $0) > most }
    // The frame is the limit, and not the camera, whose times may come in steps.
    let isByRate = frame.map { device.limits.times.upperBound + device.limits.timeStep / 1000 >= $0 } ?? false
    let remedy: Sentence
    if isLong, isByRate {
      remedy = "a lower \(setting: .fps) allows longer ones"
    } else {
      remedy = isLong ? "choose shorter exposure times" : "choose longer exposure times"
    }
    let (shortest, longest) = (Double(least) * 1e-9, Double(most) * 1e-9)
    throw CamrecError(
      .usage, about: nil,
      "\(camera.name) cannot expose \(names): \(rate.map { "at \($0) fps " } ?? "")its exposure times are "
        + "\(TimeText.exposure(shortest)) to \(TimeText.exposure(longest))"
        + "; \(sentence: remedy)",
      reason: .notOffered)
  }
}
