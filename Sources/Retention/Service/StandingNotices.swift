/// Chooses the notices to report: each when it becomes true, and again once it was false for a while and an hour has
/// gone by.
struct StandingNotices {
  private var standing: Set<String> = []
  private var saidAt: [String: Double] = [:]
  private static let pause = 3600.0

  /// - Parameters:
  ///   - notices: those that are true now, each with a key.
  ///   - now: seconds of a clock that does not jump.
  /// - Returns: those to report.
  mutating func update(_ notices: [(key: String, notice: RetentionNotice)], at now: Double) -> [RetentionNotice] {
    defer { standing = Set(notices.map(\.key)) }
    return notices.compactMap { key, notice in
      guard !standing.contains(key) else { return nil }
      if let last = saidAt[key], (now - last).magnitude < StandingNotices.pause { return nil }
      saidAt[key] = now
      return notice
    }
  }
}
