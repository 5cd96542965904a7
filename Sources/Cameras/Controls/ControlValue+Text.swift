import Foundation

extension ControlValue {
  /// As people write it: `0.02 s`, `5600 K`, `on`, `manual`, `0.5,0.25`.
  public func text(in unit: ControlUnit) -> String {
    switch self {
    case .number(let number): ControlValue.digits(number) + unit.sign
    case .flag(let isOn): isOn ? "on" : "off"
    case .choice(let word): word
    case .point(let x, let y): "\(ControlValue.digits(x)),\(ControlValue.digits(y))"
    case .none: "none"
    }
  }

  /// Six significant digits without trailing zeros: finer than any control's steps.
  public static func digits(_ number: Double) -> String { String(format: "%.6g", number) }
}
