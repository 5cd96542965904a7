/// What happens to changed controls later.
public enum ControlKeeping: Hashable, Sendable {
  /// `CameraControls.restore` puts them back.
  case untilRestored
  /// They stay as the user set them.
  case forGood
}
