import Foundation
public import Frames

/// A control and its new value, as people write them: `exposure-time=1/50`.
public struct ControlSetting: Hashable, Sendable {
  public let control: CameraControl
  private let text: String

  /// - Throws: code `usage` if it is not `NAME=VALUE`, or names no control.
  public init(parsing argument: String) throws(CamrecError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw CamrecError(.usage, "write a control and its value as NAME=VALUE, as in exposure-time=1/50")
    }
    guard let control = CameraControl(rawValue: parts[0].lowercased()) else {
      let names = CameraControl.allCases.map(\.rawValue).joined(separator: ", ")
      throw CamrecError(.usage, "there is no control '\(parts[0])'; the controls are \(names)")
    }
    self.control = control
    text = parts[1]
  }

  /// The changes that this setting means, in no order.
  ///
  /// - Parameter offers: the camera's controls. For one that it lacks, any value will do: setting it explains that.
  /// - Throws: code `usage` for a value that the control does not accept.
  public func changes(among offers: [ControlOffer]) throws(CamrecError) -> [ControlChange] {
    let isDefault = text.lowercased() == "default"
    if control == .whiteBalance, !isDefault { return try whiteBalance(among: offers) }
    guard let offer = offers.first(where: { $0.control == control }) else { return [ControlChange(control, .none)] }
    let value = try value(for: offer)
    return control == .whiteBalance ? fixed(value, offers) : [ControlChange(control, value)]
  }

  private func whiteBalance(among offers: [ControlOffer]) throws(CamrecError) -> [ControlChange] {
    if let preset = WhiteBalancePreset(rawValue: text.lowercased()) {
      guard let kelvin = preset.kelvin else { return [ControlChange(.autoWhiteBalance, .flag(true))] }
      return fixed(.number(kelvin), offers)
    }
    guard let kelvin = ControlSetting.number(text, suffixes: ["K"]) else {
      throw CamrecError(
        .usage, "white-balance takes kelvin, as in 5600K, or one of \(WhiteBalancePreset.list), not '\(text)'")
    }
    return fixed(.number(kelvin), offers)
  }

  /// For a fixed white balance, the automatic that would change it again is switched off.
  private func fixed(_ value: ControlValue, _ offers: [ControlOffer]) -> [ControlChange] {
    let automatic = offers.contains { $0.control == .autoWhiteBalance }
    return (automatic ? [ControlChange(.autoWhiteBalance, .flag(false))] : [])
      + [ControlChange(.whiteBalance, value)]
  }

  private func value(for offer: ControlOffer) throws(CamrecError) -> ControlValue {
    if text.lowercased() == "default" {
      guard let value = offer.defaultValue else {
        throw CamrecError(.usage, "the camera does not report the default of \(control.rawValue); give a value")
      }
      return value
    }
    guard let value = parsed(for: offer) else {
      throw CamrecError(.usage, "\(control.rawValue) takes \(offer.wanted)\(example(offer)), not '\(text)'")
    }
    return value
  }

  private func parsed(for offer: ControlOffer) -> ControlValue? {
    switch offer.kind {
    case .number, .listed: number(in: offer.unit).map(ControlValue.number)
    case .flag: ControlSetting.flag(text).map(ControlValue.flag)
    case .choice: .choice(text.lowercased())
    case .point: point.map { .point(x: $0, y: $1) }
    case .trigger: text.lowercased() == "now" ? ControlValue.none : ControlSetting.flag(text).map(ControlValue.flag)
    }
  }

  private func number(in unit: ControlUnit) -> Double? {
    switch unit {
    case .seconds: ControlSetting.seconds(text)
    case .kelvin: ControlSetting.number(text, suffixes: ["K"])
    case .degrees: ControlSetting.number(text, suffixes: ["°", "deg"])
    case .exposureValues: ControlSetting.number(text, suffixes: ["EV"])
    case .factor: ControlSetting.number(text, suffixes: ["x", "×"])
    case .isoSpeed, .balance, .own: ControlSetting.number(text, suffixes: [])
    }
  }

  private func example(_ offer: ControlOffer) -> String { offer.unit == .seconds ? ", as in 1/50, 0.02 or 20ms" : "" }

  private var point: (Double, Double)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let x = ControlSetting.number(parts[0], suffixes: []),
      let y = ControlSetting.number(parts[1], suffixes: [])
    else { return nil }
    return (x, y)
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "on", "yes", "true", "1": true
    case "off", "no", "false", "0": false
    default: nil
    }
  }

  /// `1/50`, `0.02`, `0.02s`, `20ms`, `200us`.
  private static func seconds(_ text: String) -> Double? {
    for (suffix, scale) in [("ms", 1e3), ("us", 1e6), ("µs", 1e6)] where text.hasSuffix(suffix) {
      return number(String(text.dropLast(2)), suffixes: []).map { $0 / scale }
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return number(text, suffixes: ["s"]) }
    guard let above = number(parts[0], suffixes: []), let below = number(parts[1], suffixes: ["s"]), below != 0 else {
      return nil
    }
    return above / below
  }

  private static func number(_ text: String, suffixes: [String]) -> Double? {
    let suffix = suffixes.first { text.lowercased().hasSuffix($0.lowercased()) }
    let digits = text.dropLast(suffix?.count ?? 0)
    // Nobody means "nan", "infinity" or a hexadecimal number.
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }), let number = Double(digits),
      number.isFinite
    else { return nil }
    return number
  }
}
