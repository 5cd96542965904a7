/// A value of a control that describes itself: in JSON a number, true or false, or a string.
public enum ControlDescriptionValue: Hashable, Sendable {
  case number(Double)
  case flag(Bool)
  /// A choice, a point `X,Y`, or any text.
  case text(String)

  /// As a request takes it: `0.02`, `800`, `on`, `manual`, `0.5,0.25`.
  public var text: String {
    switch self {
    case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .flag(let isOn): isOn ? "on" : "off"
    case .text(let text): text
    }
  }

  /// For people: a number has its unit.
  func text(with unit: String?) -> String {
    guard case .number = self, let unit else { return text }
    return unit == "°" || unit == "×" ? text + unit : "\(text) \(unit)"
  }
}

extension ControlDescriptionValue: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else {
      self = .number(try value.decode(Double.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .flag(let isOn): try container.encode(isOn)
    case .text(let text): try container.encode(text)
    }
  }
}
