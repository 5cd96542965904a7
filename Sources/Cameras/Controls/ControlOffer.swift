/// A control as a camera has it.
public struct ControlOffer: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Values from `minimum` in steps of `step` (0: continuous) up to `maximum`.
    case number(minimum: Double, maximum: Double, step: Double)
    /// All possible values, in rising order (ISO speeds, EV biases).
    case listed([Double])
    case flag
    case choice([String])
    case point
    case trigger
  }

  public let control: CameraControl
  public let kind: Kind
  /// The unit of its numbers: the control's unit, or `own` if this camera does not report one.
  public let unit: ControlUnit
  /// The camera's default; `nil` if it does not report one.
  public let defaultValue: ControlValue?
  /// Can be read but not set.
  public let isReadOnly: Bool
  /// Has no effect at present because another control, such as an automatic, rules it. Setting it is refused.
  public let isRuled: Bool

  public init(
    _ control: CameraControl, _ kind: Kind, unit: ControlUnit? = nil, defaultValue: ControlValue? = nil,
    isReadOnly: Bool = false, isRuled: Bool = false
  ) {
    self.control = control
    self.kind = kind
    self.unit = unit ?? control.unit
    self.defaultValue = defaultValue
    self.isReadOnly = isReadOnly
    self.isRuled = isRuled
  }
}
