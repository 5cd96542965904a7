import Cameras
import RecorderAPI

extension ControlDescription {
  /// A control of a camera.
  ///
  /// - Parameters:
  ///   - value: its present value, if it is known.
  ///   - camera: the camera's name for messages.
  ///   - offers: all of the camera's controls.
  init(_ offer: ControlOffer, value: ControlValue?, camera: String, among offers: [ControlOffer]) {
    let name = offer.control.rawValue
    self.init(name, Kind(offer.kind), request: ["do": ControlWord.set.rawValue, "name": name])
    switch offer.kind {
    case .number(let minimum, let maximum, let step):
      (self.minimum, self.maximum, self.step) = (minimum, maximum, step > 0 ? step : nil)
      unit = ControlDescription.sign(of: offer.unit)
    case .listed(let numbers):
      choices = numbers.map(ControlValue.digits)
      unit = ControlDescription.sign(of: offer.unit)
    case .choice(let words): choices = words
    case .trigger: choices = ["now", "off"]
    case .flag, .point: break
    }
    self.value = value.flatMap { ControlDescriptionValue($0, as: kind) }
    defaultValue = offer.defaultValue.flatMap { ControlDescriptionValue($0, as: kind) }
    isReadOnly = offer.isReadOnly
    if offer.isRuled {
      let ruler = offer.control.ruler.flatMap { ruler in offers.contains { $0.control == ruler.control } ? ruler : nil }
      refusal = ControlSentence.ruled(offer.control, camera: camera, ruler: ruler)
    }
  }

  private static func sign(of unit: ControlUnit) -> String? {
    let sign = unit.sign.drop { $0 == " " }
    return sign.isEmpty ? nil : String(sign)
  }
}

extension ControlDescription.Kind {
  fileprivate init(_ kind: ControlOffer.Kind) {
    self =
      switch kind {
      case .number: .number
      case .listed, .choice, .trigger: .choice
      case .flag: .flag
      case .point: .point
      }
  }
}

extension ControlDescriptionValue {
  /// - Returns: `nil` for a trigger, which has no value.
  fileprivate init?(_ value: ControlValue, as kind: ControlDescription.Kind) {
    switch value {
    // One of a list, which is given as text.
    case .number(let number): self = kind == .number ? .number(number) : .text(ControlValue.digits(number))
    case .flag(let isOn): self = .flag(isOn)
    case .choice(let word): self = .text(word)
    case .point: self = .text(value.text(in: .own))
    case .none: return nil
    }
  }
}
