/// How the exposure is controlled. A lock is not a mode of its own: it holds any of them
/// (`ExposureConfiguration.isLocked`).
public enum ExposureMode: Hashable, Sendable {
  /// Time and gain follow the light: rising gain at the shutter angle while the gain suffices, then longer times up to
  /// the frame's interval; shorter times at the lowest gain.
  case auto
  /// The shutter angle sets the time; only the gain follows the light.
  case shutterPriority
  /// This setting, as closely as the device can match it.
  case manual(ExposureSetting)
}
