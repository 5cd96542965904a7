/// What becomes of the controls that are changed.
public enum ControlKeeping: Hashable, Sendable {
  /// They are put back by `CameraControls.restore`.
  case untilRestored
  /// They stay: they are what somebody asked for.
  case forGood
}
