/// Which setting each frame shows: those on their way through the device, and the one that is in force.
struct PendingSettings: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var frame: Int
    var setting: ExposureSetting
  }

  /// By rising frame.
  private var entries: [Entry] = []

  /// - Parameter setting: in force until the next one shows.
  init(_ setting: ExposureSetting) {
    entries.reserveCapacity(ExposureConfiguration.longestDelay + 2)
    entries.append(Entry(frame: .min, setting: setting))
  }

  /// The last one, which all frames show sooner or later.
  var last: ExposureSetting {
    get { entries[entries.count - 1].setting }
    set { entries[entries.count - 1].setting = newValue }
  }

  func shown(in frame: Int) -> ExposureSetting {
    var setting = entries[0].setting
    for entry in entries where entry.frame <= frame { setting = entry.setting }
    return setting
  }

  /// Decides that `frame` and what follows show `setting`.
  mutating func add(_ setting: ExposureSetting, from frame: Int) {
    while let last = entries.last, last.frame >= frame, entries.count > 1 { entries.removeLast() }
    entries.append(Entry(frame: frame, setting: setting))
  }

  /// Forgets what no frame from `frame` on shows.
  mutating func forget(before frame: Int) {
    while entries.count > 1, entries[1].frame <= frame { entries.removeFirst() }
  }
}
