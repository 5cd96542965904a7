import Exposure
import Foundation
import Frames

/// What a camera is to be set to, worked out from what was asked and what it can do.
struct ExposurePlan {
  let configuration: ExposureConfiguration
  /// What the camera was set to.
  let found: ExposureSetting
  private(set) var warnings: [String] = []
  private(set) var summary = ""
  private let options: ExposureOptions
  /// What the mains come to, for the summary.
  private var flicker = ""

  /// What the angle comes to where the mains are minded.
  let angle: ShutterAngle
  /// No angle near the one that was asked for is free of flicker: says so.
  private(set) var flickerWarning: String?
  /// Nobody has measured what the camera's gain comes to: says so.
  private(set) var gainWarning: String?

  /// - Parameters:
  ///   - current: what the camera is set to; `nil` asks it.
  ///   - isLocked: time and gain stay as they are.
  ///   - source: another number for another source, whose light nobody knows.
  /// - Throws: code `usage` for what the camera cannot be set to, code `device` where it is asked and does not answer.
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
    // A time that is longer than a frame is none that this rate was recorded with.
    found.nanoseconds = min(found.nanoseconds, Int64(rate.frameDuration.doubleValue * 1e9))
    self.found = found
    let time = Int64((try angle.exposureTime(at: rate).doubleValue * 1e9).rounded())
    let sensitivity = device.sensitivity
    var gain = found.gainStops
    if let iso = options.iso {
      let highest = sensitivity.iso(of: sensitivity.scale.range.upperBound)
      guard iso >= sensitivity.lowestISO * 0.999, iso <= highest * 1.001 else {
        throw CamrecError(
          .usage,
          "ISO \(ExposurePlan.text(iso)) is beyond the camera, which has ISO \(ExposurePlan.text(sensitivity.lowestISO))"
            + " to \(ExposurePlan.text(highest))")
      }
      gain = sensitivity.scale.nearest(to: sensitivity.gain(ofISO: iso))
    }
    let mode: ExposureMode =
      switch options.mode {
      case .auto: .auto
      case .shutterPriority, .camera: .shutterPriority
      case .manual: .manual(ExposureSetting(nanoseconds: time, gainStops: gain))
      case .locked: .manual(found)
      }
    configuration = try ExposureConfiguration(
      mode: mode, isLocked: isLocked, bias: options.bias, frameRate: rate, shutterAngle: angle.thousandths,
      limits: device.limits, delay: delay, source: source)
    if sensitivity.control == nil, options.mode != .locked {
      warnings.append("the camera's gain cannot be set: its exposure does not follow the light")
    } else if !sensitivity.isCalibrated, options.mode != .locked {
      gainWarning =
        "nobody has measured what the camera's gain is in EV: it is relative, and called ISO "
        + "\(ExposurePlan.text(sensitivity.lowestISO)) at its lowest"
    }
  }

  /// Says what the camera answered.
  mutating func reached(_ answer: ExposureSetting, rate: FrameRate, device: ExposureDevice) {
    let degrees = ShutterAngle.degrees(ofExposureTime: answer.exposureTime, at: rate)
    let shutter = ExposureWords.time(answer.exposureTime) + String(format: " (%.2f°)", degrees)
    let iso = ExposurePlan.text(device.sensitivity.iso(of: answer.gainStops))
    switch options.mode {
    // What follows the light is another number at the first frame.
    case .shutterPriority: summary = "\(shutter), ISO follows the light" + flicker
    case .auto: summary = "exposure time and ISO follow the light"
    case .manual, .locked, .camera: summary = "\(shutter), ISO \(iso), as they are" + flicker
    }
    if options.mode == .shutterPriority || options.mode == .manual, abs(degrees / angle.degrees.doubleValue - 1) > 0.02
    {
      warnings.append(
        String(format: "the camera reaches a shutter angle of %.2f° instead of \(angle)", degrees))
    }
  }

  private static func text(_ iso: Double) -> String { String(format: "%.0f", iso) }
}
