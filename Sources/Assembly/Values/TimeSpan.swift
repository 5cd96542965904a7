package import Frames

/// A length of time as the command line gives it, exact: `10s`, `1m30s`, `500ms`, `2h`, `-20ms`, `1.5s`.
package struct TimeSpan: Hashable, Sendable {
  package let nanoseconds: Int64

  /// The longest span: a year.
  package static let limit: Int64 = 366 * 24 * 3600 * 1_000_000_000

  package var seconds: Rational { Rational(nanoseconds, 1_000_000_000) }

  package init(parsing text: String) throws(CamrecError) {
    guard let nanoseconds = TimeSpan.nanoseconds(in: text) else {
      throw CamrecError(.usage, "write a number and its unit (h, m, s, ms, us), as in 10s, 1m30s, 500ms or 2h")
    }
    guard abs(nanoseconds) <= TimeSpan.limit else {
      throw CamrecError(.usage, "a time of more than a year is too long")
    }
    self.nanoseconds = nanoseconds
  }

  /// A span greater than zero, for `--duration`.
  package init(parsingDuration text: String) throws(CamrecError) {
    // Reports the sign before a missing unit: it says more about what is wrong.
    if text.hasPrefix("-") { throw CamrecError(.usage, "a duration is greater than 0, as in 10s, 1m30s, 500ms or 2h") }
    try self.init(parsing: text)
    guard nanoseconds > 0 else {
      throw CamrecError(.usage, "a duration is greater than 0, as in 10s, 1m30s, 500ms or 2h")
    }
  }

  /// A span of at most a second either way, for `--audio-offset`: that much audio waits for its frame.
  package init(parsingOffset text: String) throws(CamrecError) {
    try self.init(parsing: text)
    guard abs(nanoseconds) <= 1_000_000_000 else {
      throw CamrecError(.usage, "the audio can be shifted by at most 1s, as in 20ms or -20ms")
    }
  }

  /// What a power cut may cost, for `--max-loss`. A fragment is a fifth of it: below 200 ms it would be shorter than a
  /// frame at 24 fps, and above 10 s more than two seconds of film would wait in memory for the fragment's end.
  package init(parsingLossLimit text: String) throws(CamrecError) {
    try self.init(parsing: text)
    guard (200_000_000...10_000_000_000).contains(nanoseconds) else {
      throw CamrecError(
        .usage,
        "a loss limit is 200ms to 10s: below, a fragment is shorter than a frame; above, too much waits in memory")
    }
  }

  /// The time before a start, for `--pre-roll`. Its frames wait in memory.
  package init(parsingPreRoll text: String) throws(CamrecError) {
    let allowed = "a pre-roll is 100ms to 10m, as in 10s"
    guard !text.hasPrefix("-") else { throw CamrecError(.usage, allowed) }
    try self.init(parsing: text)
    guard (100_000_000...600_000_000_000).contains(nanoseconds) else {
      throw CamrecError(.usage, "\(allowed); '\(text)' is too \(nanoseconds < 100_000_000 ? "short" : "long")")
    }
  }

  /// How long a button must be down, for `--button-debounce`.
  package init(parsingDebounce text: String) throws(CamrecError) {
    try self.init(parsing: text)
    guard (1_000_000...1_000_000_000).contains(nanoseconds) else {
      throw CamrecError(.usage, "a button's debounce time is 1ms to 1s, as in 30ms")
    }
  }

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static let usualDebounce = TimeSpan(nanoseconds: 30_000_000)

  private static let units: [Substring: Double] = ["h": 3600e9, "m": 60e9, "s": 1e9, "ms": 1e6, "us": 1e3]

  private static func nanoseconds(in text: String) -> Int64? {
    var rest = text[...]
    let isNegative = rest.hasPrefix("-")
    if rest.hasPrefix("-") || rest.hasPrefix("+") { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    var total: Int64 = 0
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[number.endIndex...]
      let name = rest.prefix { $0.isLetter }
      rest = rest[name.endIndex...]
      guard let value = Double(number), let unit = units[name] else { return nil }
      // One by one: a sum in floating point is not exact beyond 2⁵³ ns, 104 days.
      total = total.addingSaturated(Int64(saturating: (value * unit).rounded()))
    }
    return isNegative ? -total : total
  }
}
