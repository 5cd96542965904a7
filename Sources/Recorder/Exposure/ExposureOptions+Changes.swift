public import Exposure
public import Frames

extension ExposureOptions {
  /// ISO speeds that can be asked for, whatever a camera has.
  public static let isoRange = 1.0...10_000_000
  /// EV that can be asked for beside the meter.
  public static let biasRange = Stops(-Double(Stops.biasLimit))...Stops(Double(Stops.biasLimit))

  /// Takes a change on, by the rules that hold on any camera; after an error everything is as it was.
  ///
  /// Who leaves `auto` opens its lock, and who leaves `manual` forgets its ISO: each is asked for anew.
  ///
  /// - Throws: code `usage` for what the mode does not leave to anybody, and for values out of range.
  public mutating func apply(_ change: ExposureChange) throws(CamrecError) {
    switch change {
    case .mode(let mode):
      if mode != .auto { isLocked = false }
      if mode != .manual { iso = nil }
      self.mode = mode
    case .angle(let angle):
      try refuse("a shutter angle", in: [.locked: "keeps the exposure time as it is"])
      self.angle = angle
    case .iso(let iso):
      try refuse(
        "an ISO speed",
        in: [
          .auto: "lets ISO follow the light; it is for manual", .locked: "keeps ISO as it is; it is for manual",
          .shutterPriority: "lets ISO follow the light; it is for manual",
        ])
      guard ExposureOptions.isoRange.contains(iso) else {
        throw CamrecError(.usage, "an ISO speed from 1 to 10000000 can be set; this is \(iso)")
      }
      self.iso = iso
    case .bias(let bias):
      try refuse("an offset in EV", in: ExposureOptions.followsNothing)
      guard ExposureOptions.biasRange.contains(bias) else {
        throw CamrecError(.usage, "an offset in EV lies from -16 to 16; this is \(bias.ev)")
      }
      self.bias = bias
    case .metering(let metering):
      try refuse("a way of metering", in: ExposureOptions.followsNothing)
      if case .spot(let x, let y) = metering, !(0...1).contains(x) || !(0...1).contains(y) {
        throw CamrecError(
          .usage, "a spot is X,Y, each from 0 (left, top) to 1 (right, bottom), as in 0.5,0.25; this is \(x),\(y)")
      }
      self.metering = metering
    case .lock(let isLocked): try lock(isLocked)
    }
  }

  private static let followsNothing: [Mode: String] = [
    .manual: "follows nothing; choose auto or shutter-priority",
    .locked: "follows nothing; choose auto or shutter-priority",
  ]

  private func refuse(_ what: String, in modes: [Mode: String]) throws(CamrecError) {
    if mode == .camera {
      throw CamrecError(.usage, "\(what) cannot be set: --exposure camera leaves everything to the camera")
    }
    if let reason = modes[mode] {
      throw CamrecError(.usage, "\(what) cannot be set: --exposure \(mode.rawValue) \(reason)")
    }
  }

  /// The ordinary lock. What it would do beside another one nobody could tell.
  private mutating func lock(_ isLocked: Bool) throws(CamrecError) {
    switch mode {
    case .shutterPriority:
      throw CamrecError(.usage, "an ordinary exposure lock cannot be toggled while shutter priority is on; choose auto")
    case .manual, .locked:
      throw CamrecError(
        .usage, "an ordinary exposure lock cannot be toggled: --exposure \(mode.rawValue) holds the exposure already")
    case .camera:
      throw CamrecError(
        .usage, "an ordinary exposure lock cannot be toggled: --exposure camera leaves everything to the camera")
    case .auto where locksWhileRecording:
      throw CamrecError(
        .usage,
        "an ordinary exposure lock cannot be toggled while --lock-exposure-while-recording holds the exposure")
    case .auto: self.isLocked = isLocked
    }
  }
}

extension MeteringMode {
  /// As `--metering` says it: `average`, `centre`, `highlight`, `spot:0.5,0.25`.
  public var word: String {
    switch self {
    case .average: "average"
    case .centreWeighted: "centre"
    case .highlightWeighted: "highlight"
    case .spot(let x, let y): "spot:\(x),\(y)"
    }
  }
}
