import Frames

/// Room of deleted films that does not show as free yet.
///
/// What others write meanwhile does not count: free space that rises is room that shows, and free space that falls is
/// what is missing now. A value without a clock.
struct PendingRoom: Sendable {
  /// Bytes, and when their film was deleted, in seconds since the system started. Oldest first.
  private var parts: [(bytes: Int64, since: Double)] = []
  /// What was free, and what the recorder had written so far, when somebody looked last.
  private var last: (free: Int64, written: Int64)?

  /// Seconds within which films deleted one after another are one part.
  private static let grain = 1.0

  var isEmpty: Bool { parts.isEmpty }

  var bytes: Int64 { parts.reduce(0) { $0.addingSaturated($1.bytes) } }

  /// A film was deleted.
  ///
  /// - Parameters:
  ///   - bytes: the film's.
  ///   - free: what was free before.
  ///   - written: what the recorder has written so far.
  mutating func add(_ bytes: Int64, free: Int64, written: Int64, at now: Double) {
    see(free: free, written: written, at: now)
    last = (free, written)
    if let part = parts.last, now - part.since < PendingRoom.grain {
      parts[parts.count - 1].bytes = part.bytes.addingSaturated(bytes)
    } else if bytes > 0 {
      parts.append((bytes, now))
    }
  }

  /// Looks at the disk.
  mutating func see(free: Int64, written: Int64, at now: Double) {
    parts.removeAll { !(0..<RetentionService.settling).contains(now - $0.since) }
    defer { last = parts.isEmpty ? nil : (free, written) }
    guard let last else { return }
    // What this recorder has written since would be free otherwise.
    let own = max(0, written.subtractingSaturated(last.written))
    var shown = free.subtractingSaturated(last.free).addingSaturated(own)
    while shown > 0, let part = parts.first {
      parts[0].bytes -= min(part.bytes, shown)
      shown -= min(part.bytes, shown)
      if parts[0].bytes == 0 { parts.removeFirst() }
    }
  }
}
