import Exposure

/// The setting of each frame, for a camera that does not report it.
struct ExposureAccount {
  private var entries: [(frame: Int, setting: ExposureSetting)]

  init(_ setting: ExposureSetting) {
    entries = [(.min, setting)]
    entries.reserveCapacity(ExposureConfiguration.longestDelay + 2)
  }

  var last: ExposureSetting { entries[entries.count - 1].setting }

  /// The setting before the last one.
  var before: ExposureSetting { entries.count > 1 ? entries[entries.count - 2].setting : entries[0].setting }

  mutating func add(_ setting: ExposureSetting, from frame: Int) {
    while entries.count > 1, let last = entries.last, last.frame >= frame { entries.removeLast() }
    if entries.count > ExposureConfiguration.longestDelay { entries.removeFirst() }
    entries.append((frame, setting))
  }

  /// Corrects the last setting to what the camera really took.
  mutating func correct(_ setting: ExposureSetting) { entries[entries.count - 1].setting = setting }

  func setting(of frame: Int) -> ExposureSetting {
    var setting = entries[0].setting
    for entry in entries where entry.frame <= frame { setting = entry.setting }
    return setting
  }
}
