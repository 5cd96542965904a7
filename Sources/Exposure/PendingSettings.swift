/// Which setting each frame shows: the settings on their way through the device, and the present one.
struct PendingSettings: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var frame: Int
    var setting: ExposureSetting
  }

  /// By rising frame.
  private var entries: [Entry] = []

  /// - Parameter setting: applies until the next one shows.
  init(_ setting: ExposureSetting) {
    entries.reserveCapacity(ExposureConfiguration.longestDelay + 2)
    entries.append(Entry(frame: .min, setting: setting))
  }

  /// The latest setting, which all later frames will show.
  var last: ExposureSetting {
    get { entries[entries.count - 1].setting }
    set { entries[entries.count - 1].setting = newValue }
  }

  func shown(in frame: Int) -> ExposureSetting {
    var setting = entries[0].setting
    for entry in entries where entry.frame <= frame { setting = entry.setting }
    return setting
  }

  /// Notes that frames from `frame` on show `setting`.
  mutating func add(_ setting: ExposureSetting, from frame: Int) {
    while let last = entries.last, last.frame >= frame, entries.count > 1 { entries.removeLast() }
    entries.append(Entry(frame: frame, setting: setting))
  }

  /// Removes settings that no frame from `frame` on shows.
  mutating func forget(before frame: Int) {
    while entries.count > 1, entries[1].frame <= frame { entries.removeFirst() }
  }
}
