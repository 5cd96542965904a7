public import Exposure
public import Frames

extension ExposureOptions {
  /// The ISO speeds that can be requested, whatever a camera has.
  public static let isoRange = 1.0...10_000_000
  /// The offsets from the meter that can be requested.
  public static let biasRange = Stops(-Double(Stops.biasLimit))...Stops(Double(Stops.biasLimit))

  /// Applies a change by the rules that hold for any camera; an error changes nothing.
  ///
  /// Leaving `auto` ends its lock, and leaving `manual` forgets its ISO: both must be requested again. Any
  /// mode that is set ends `locksWithAngle`: it is for the start.
  ///
  /// - Throws: code `usage` for a change that the mode does not allow, and for values out of range.
  public mutating func apply(_ change: ExposureChange) throws(CamrecError) {
    switch change {
    case .mode(let mode):
      if mode != .auto { isLocked = false }
      if mode != .manual { iso = nil }
      locksWithAngle = false
      self.mode = mode
    case .angle(let angle):
      try refuse("a shutter angle", in: [.locked: "keeps the exposure time as it is"])
      self.angle = angle
    case .iso(let iso):
      try refuse(
        "an ISO speed",
        in: [
          .auto: "lets ISO follow the light; choose manual", .locked: "keeps ISO as it is; choose manual",
          .shutterPriority: "lets ISO follow the light; choose manual",
        ])
      guard ExposureOptions.isoRange.contains(iso) else {
        throw CamrecError(.usage, "an ISO speed must be 1 to 10000000, not \(iso)")
      }
      self.iso = iso
    case .bias(let bias):
      try refuse("an offset in EV", in: ExposureOptions.followsNothing)
      guard ExposureOptions.biasRange.contains(bias) else {
        throw CamrecError(.usage, "an offset in EV must be -16 to 16, not \(bias.ev)")
      }
      self.bias = bias
    case .metering(let metering):
      try refuse("the metering", in: ExposureOptions.followsNothing)
      if case .spot(let x, let y) = metering, !(0...1).contains(x) || !(0...1).contains(y) {
        throw CamrecError(
          .usage, "a spot is X,Y, each from 0 (left, top) to 1 (right, bottom), as in 0.5,0.25, not \(x),\(y)")
      }
      self.metering = metering
    case .lock(let isLocked): try lock(isLocked)
    }
  }

  /// Applies a change that was made before a restart. What the mode does not use is there for another mode, as it would
  /// be without the restart; an error changes nothing.
  ///
  /// - Throws: code `usage`, as `apply`.
  public mutating func restore(_ change: ExposureChange) throws(CamrecError) {
    switch change {
    case .mode, .iso, .lock: try apply(change)
    case .angle, .bias, .metering:
      var restored = self
      restored.mode = .shutterPriority
      try restored.apply(change)
      restored.mode = mode
      self = restored
    }
  }

  private static let followsNothing: [Mode: String] = [
    .manual: "does not follow the light; choose auto or shutter-priority",
    .locked: "does not follow the light; choose auto or shutter-priority",
  ]

  private func refuse(_ what: String, in modes: [Mode: String]) throws(CamrecError) {
    if mode == .camera {
      throw CamrecError(
        .usage, about: .exposure,
        "\(what) cannot be set: \(setting: .exposure) camera leaves everything to the camera",
        reason: .exposureByCamera)
    }
    if let reason = modes[mode] {
      throw CamrecError(
        .usage, about: .exposure, "\(what) cannot be set: \(setting: .exposure) \(mode.rawValue) \(reason)",
        reason: .exposureMode)
    }
  }

  /// Sets the ordinary lock, which is refused if another lock holds the exposure already.
  private mutating func lock(_ isLocked: Bool) throws(CamrecError) {
    switch mode {
    case .auto where locksWhileRecording, .shutterPriority where locksWhileRecording:
      throw CamrecError(
        .usage, about: .lockExposureWhileRecording,
        "the exposure cannot be locked or unlocked: \(setting: .lockExposureWhileRecording) holds it already",
        reason: .exposureMode)
    case .shutterPriority:
      throw CamrecError(
        .usage, "the exposure cannot be locked or unlocked in shutter-priority; choose auto", reason: .exposureMode)
    case .manual, .locked:
      throw CamrecError(
        .usage, about: .exposure,
        "the exposure cannot be locked or unlocked: \(setting: .exposure) \(mode.rawValue) holds the exposure already",
        reason: .exposureMode)
    case .camera:
      throw CamrecError(
        .usage, about: .exposure,
        "the exposure cannot be locked or unlocked: \(setting: .exposure) camera leaves everything to the camera",
        reason: .exposureByCamera)
    case .auto: self.isLocked = isLocked
    }
  }
}

extension MeteringMode {
  /// As for `--metering`: `average`, `centre`, `highlight`, `spot:0.5,0.25`.
  public var word: String {
    switch self {
    case .average: "average"
    case .centreWeighted: "centre"
    case .highlightWeighted: "highlight"
    case .spot(let x, let y): "spot:\(x),\(y)"
    }
  }
}
