public import Frames

extension ControlOffer {
  /// Refuses values that the control does not accept.
  ///
  /// - Parameter camera: its name for messages.
  /// - Throws: code `usage`, with the value, what is allowed, and its unit.
  public func check(_ value: ControlValue, camera: String) throws(CamrecError) {
    guard fits(value) else {
      throw CamrecError(
        .usage, "\(control.rawValue) of \(camera) takes \(wanted), not \(value.text(in: unit))")
    }
  }

  /// The accepted values, in words: `0.0001 to 0.5 s`, `on or off`, `auto, manual`.
  public var wanted: String {
    switch kind {
    case .number(let minimum, let maximum, _):
      "\(ControlValue.digits(minimum)) to \(ControlValue.digits(maximum))\(unit.sign)"
    case .listed(let numbers): numbers.map(ControlValue.digits).joined(separator: ", ") + unit.sign
    case .flag: "on or off"
    case .choice(let words): words.joined(separator: ", ")
    case .point: "a point X,Y, each from 0 to 1"
    case .trigger: "now, or off to cancel"
    }
  }

  private func fits(_ value: ControlValue) -> Bool {
    switch (kind, value) {
    case (.number(let minimum, let maximum, _), .number(let number)):
      ControlOffer.spans(minimum, maximum, number)
    case (.listed(let numbers), .number(let number)):
      ControlOffer.spans(numbers.min() ?? .nan, numbers.max() ?? .nan, number)
    case (.flag, .flag), (.trigger, .none), (.trigger, .flag): true
    case (.choice(let words), .choice(let word)): words.contains(word)
    case (.point, .point(let x, let y)): (0...1).contains(x) && (0...1).contains(y)
    default: false
    }
  }

  /// Allows for the rounding of fractions of a unit: 1/8000 s is not below 125 µs.
  private static func spans(_ minimum: Double, _ maximum: Double, _ number: Double) -> Bool {
    let room = 1e-9 * max(abs(minimum), abs(maximum))
    return number >= minimum - room && number <= maximum + room
  }
}
