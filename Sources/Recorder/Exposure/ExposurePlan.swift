import Exposure
import Foundation
import Frames
import RecorderAPI

/// The exposure of a camera, worked out from the request and the camera's abilities.
struct ExposurePlan {
  let configuration: ExposureConfiguration
  /// The camera's previous setting.
  let found: ExposureSetting
  private(set) var warnings: [String] = []
  private(set) var summary = ""
  private let options: ExposureOptions
  /// The effect of the mains frequency, for the summary.
  private var flicker = ""

  /// The shutter angle, adapted to the mains frequency.
  let angle: ShutterAngle
  /// The warning that no angle near the requested one is free of flicker.
  private(set) var flickerWarning: String?
  /// The warning that the camera's gain is not calibrated.
  private(set) var gainWarning: String?

  /// - Parameters:
  ///   - current: the camera's present setting; `nil` asks the camera.
  ///   - isLocked: time and gain stay as they are.
  ///   - source: a different number for each source, whose light is not known yet.
  /// - Throws: code `usage` for a setting that the camera does not have, code `device` if it does not answer.
  init(
    _ options: ExposureOptions, device: ExposureDevice, rate: FrameRate, delay: Int, current: ExposureSetting? = nil,
    isLocked: Bool = false, source: Int = 0
  ) throws(CamrecError) {
    self.options = options
    var angle = options.angle
    if let choice = try options.mains.choice(near: angle, at: rate) {
      if let safe = choice.nearest { angle = safe.angle } else { flickerWarning = choice.statement }
      flicker = choice.nearest == nil ? "" : "; \(choice.statement)"
    }
    if let flickerWarning { warnings.append(flickerWarning) }
    self.angle = angle
    var found: ExposureSetting
    if let current { found = current } else { found = try device.current() }
    // An exposure time longer than a frame cannot belong to this rate.
    found.nanoseconds = min(found.nanoseconds, Int64(rate.frameDuration.doubleValue * 1e9))
    self.found = found
    let time = Int64((try angle.exposureTime(at: rate).doubleValue * 1e9).rounded())
    let sensitivity = device.sensitivity
    var gain = found.gainStops
    if let iso = options.iso {
      let highest = sensitivity.iso(of: sensitivity.scale.range.upperBound)
      guard iso >= sensitivity.lowestISO * 0.999, iso <= highest * 1.001 else {
        throw CamrecError(
          .usage, about: .iso,
          "the camera has no ISO \(ExposurePlan.text(iso)); choose \(ExposurePlan.text(sensitivity.lowestISO))"
            + " to \(ExposurePlan.text(highest))")
      }
      gain = sensitivity.scale.nearest(to: sensitivity.gain(ofISO: iso))
    }
    let mode: ExposureMode =
      switch options.mode {
      case .auto: .auto
      case .shutterPriority, .camera: .shutterPriority
      case .manual: .manual(ExposureSetting(nanoseconds: time, gainStops: gain))
      case .locked where current == nil && options.locksWithAngle:
        .manual(ExposureSetting(nanoseconds: time, gainStops: gain))
      case .locked: .manual(found)
      }
    configuration = try ExposureConfiguration(
      mode: mode, isLocked: isLocked, bias: options.bias, frameRate: rate, shutterAngle: angle.thousandths,
      limits: device.limits, delay: delay, source: source)
    if sensitivity.control == nil, options.mode != .locked {
      let rest = options.mode == .auto ? "only its exposure time follows" : "its exposure does not follow"
      warnings.append("the camera's gain cannot be set, so \(rest) the light")
    } else if !sensitivity.isCalibrated, options.mode != .locked {
      gainWarning =
        "the camera's gain is not calibrated: ISO is relative, and the lowest gain counts as ISO "
        + "\(ExposurePlan.text(sensitivity.lowestISO))"
    }
  }

  /// Takes up the camera's answer, for the summary and the warnings.
  ///
  /// - Parameter isLocked: a lock is in force; otherwise one that is asked for closes once the exposure fits the light.
  mutating func reached(_ answer: ExposureSetting, rate: FrameRate, device: ExposureDevice, isLocked: Bool = false) {
    let degrees = ShutterAngle.degrees(ofExposureTime: answer.exposureTime, at: rate)
    let shutter = TimeText.exposure(answer.exposureTime) + String(format: " (%.2f°)", degrees)
    let iso = ExposurePlan.text(device.sensitivity.iso(of: answer.gainStops))
    let locks = options.followsLight && (options.isLocked || options.locksWhileRecording)
    let hasGain = device.sensitivity.control != nil
    let isAngle = abs(degrees / angle.degrees.doubleValue - 1) <= 0.02
    // A mode that keeps the exposure time as it is may have another one.
    let flicker = isAngle ? flicker : ""
    switch options.mode {
    case .shutterPriority where !hasGain: summary = "\(shutter), fixed gain" + flicker
    case .shutterPriority where locks && isLocked, .auto where locks && isLocked:
      summary = "\(shutter), ISO \(iso), locked" + flicker
    // Values that follow the light have changed by the first frame.
    case .shutterPriority where locks:
      summary = "\(shutter), ISO is set to the light at the start, then locked" + flicker
    case .auto where locks:
      summary = (hasGain ? "exposure time and ISO are" : "the exposure time is")
        + " set to the light at the start, then locked"
    case .shutterPriority: summary = "\(shutter), ISO follows the light" + flicker
    case .auto: summary = hasGain ? "exposure time and ISO follow the light" : "the exposure time follows the light"
    case .manual, .locked, .camera: summary = "\(shutter), ISO \(iso), both fixed" + flicker
    }
    if options.mode == .shutterPriority || options.mode == .manual, !isAngle {
      warnings.append(
        String(format: "the camera reaches a shutter angle of %.2f° instead of \(angle)", degrees))
    }
  }

  private static func text(_ iso: Double) -> String { String(format: "%.0f", iso) }
}
