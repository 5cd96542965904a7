/// A control's value.
public enum ControlValue: Hashable, Sendable {
  case number(Double)
  case flag(Bool)
  case choice(String)
  /// Parts of the frame's width and height, 0…1, from the upper left corner.
  case point(x: Double, y: Double)
  /// For a trigger, which has no value.
  case none
}
