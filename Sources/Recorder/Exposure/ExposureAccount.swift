import Exposure

/// Which setting each frame was taken with, of a camera that does not tell.
struct ExposureAccount {
  private var entries: [(frame: Int, setting: ExposureSetting)]

  init(_ setting: ExposureSetting) {
    entries = [(.min, setting)]
    entries.reserveCapacity(ExposureConfiguration.longestDelay + 2)
  }

  var last: ExposureSetting { entries[entries.count - 1].setting }

  /// What the last setting replaced.
  var before: ExposureSetting { entries.count > 1 ? entries[entries.count - 2].setting : entries[0].setting }

  mutating func add(_ setting: ExposureSetting, from frame: Int) {
    while entries.count > 1, let last = entries.last, last.frame >= frame { entries.removeLast() }
    if entries.count > ExposureConfiguration.longestDelay { entries.removeFirst() }
    entries.append((frame, setting))
  }

  /// The last setting came out as another.
  mutating func correct(_ setting: ExposureSetting) { entries[entries.count - 1].setting = setting }

  func setting(of frame: Int) -> ExposureSetting {
    var setting = entries[0].setting
    for entry in entries where entry.frame <= frame { setting = entry.setting }
    return setting
  }
}
