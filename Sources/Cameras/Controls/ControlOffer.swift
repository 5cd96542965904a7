/// A control as a camera has it.
public struct ControlOffer: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Values from `minimum` in steps of `step` (0: continuous) up to `maximum`.
    case number(minimum: Double, maximum: Double, step: Double)
    /// The values that there are, in rising order (ISO speeds, EV biases).
    case listed([Double])
    case flag
    case choice([String])
    case point
    case trigger
  }

  public let control: CameraControl
  public let kind: Kind
  /// What its numbers count: the control's unit, or `own` where this camera does not tell it.
  public let unit: ControlUnit
  /// What the camera starts with; `nil` where it does not say.
  public let defaultValue: ControlValue?
  /// Can be read but not set.
  public let isReadOnly: Bool
  /// Without effect while this control of the camera's rules it, as an automatic does: setting it is refused.
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
