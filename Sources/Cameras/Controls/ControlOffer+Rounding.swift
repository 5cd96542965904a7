extension ControlOffer {
  /// The control's nearest value to an accepted one (`check`).
  public func rounded(_ value: ControlValue) -> ControlValue {
    switch (kind, value) {
    case (.number(let minimum, let maximum, let step), .number(let number)):
      let inside = min(max(number, minimum), maximum)
      guard step > 0 else { return .number(inside) }
      return .number(min(maximum, minimum + ((inside - minimum) / step).rounded() * step))
    case (.listed(let numbers), .number(let number)):
      return .number(numbers.min { abs($0 - number) < abs($1 - number) } ?? number)
    default: return value
    }
  }
}
