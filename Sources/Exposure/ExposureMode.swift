/// What exposes the picture. A lock is no mode of its own: it holds any of them (`ExposureConfiguration.isLocked`).
public enum ExposureMode: Hashable, Sendable {
  /// Time and gain: the shutter angle at rising gain as long as the gain suffices, then longer times up to the frame's
  /// interval, and shorter ones at the lowest gain.
  case auto
  /// The time is the shutter angle's; gain alone follows the light.
  case shutterPriority
  /// This setting, as near as the device comes to it.
  case manual(ExposureSetting)
}
