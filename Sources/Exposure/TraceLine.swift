import Frames

/// A line of a trace: a word, then `key=value` fields in a fixed order, separated by single blanks.
struct TraceLine {
  let word: String
  private var fields: ArraySlice<(key: String, value: String)>

  /// Throws a `Fault` if a field is not `key=value`.
  init(_ text: String) throws(Fault) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    word = String(parts[0])
    var fields: [(key: String, value: String)] = []
    for part in parts.dropFirst() {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else { throw Fault("expected KEY=VALUE, found \(Self.quoted(part))") }
      fields.append((String(halves[0]), String(halves[1])))
    }
    self.fields = fields[...]
  }

  /// What is wrong with a line; the caller adds the line's number.
  struct Fault: Error {
    let words: String
    init(_ words: String) { self.words = words }
  }

  /// The value of the next field, which is `key`.
  mutating func value(_ key: String) throws(Fault) -> String {
    guard let field = fields.popFirst() else { throw Fault("\(key) is missing") }
    guard field.key == key else { throw Fault("expected \(key), found \(Self.quoted(field.key))") }
    return field.value
  }

  /// The same for a field that may be missing.
  mutating func optionalValue(_ key: String) throws(Fault) -> String? {
    fields.first?.key == key ? try value(key) : nil
  }

  mutating func number(_ key: String, _ range: ClosedRange<Int64>) throws(Fault) -> Int64 {
    try Self.number(try value(key), key, range)
  }

  mutating func stops(_ key: String) throws(Fault) -> Stops { try Self.stops(try value(key), key) }

  mutating func flag(_ key: String) throws(Fault) -> Bool { try number(key, 0...1) == 1 }

  /// Checks that nothing follows.
  func end() throws(Fault) {
    if let field = fields.first {
      throw Fault("expected the end of the line, found \(Self.quoted(field.key + "=" + field.value))")
    }
  }

  /// A number as a trace writes it: without a plus sign or leading zeros.
  static func number(_ text: some StringProtocol, _ key: String, _ range: ClosedRange<Int64>) throws(Fault) -> Int64 {
    guard let number = Int64(text), String(number) == text, range.contains(number) else {
      let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      throw Fault("\(key) is \(quoted(text)); write \(allowed)")
    }
    return number
  }

  static func stops(_ text: some StringProtocol, _ key: String) throws(Fault) -> Stops {
    let limit = Int64(Stops.limit)
    return Stops(units: Int(try number(text, key, -limit...limit)))
  }

  /// A setting: `NANOSECONDS/GAIN`.
  static func setting(_ text: some StringProtocol, _ key: String) throws(Fault) -> ExposureSetting {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { throw Fault("\(key) is \(quoted(text)); write NANOSECONDS/GAIN") }
    return ExposureSetting(
      nanoseconds: try number(halves[0], key, 1...ExposureLimits.longestTime), gainStops: try stops(halves[1], key))
  }

  /// The text for a message: cut to 32 characters, without control characters.
  static func quoted(_ text: some StringProtocol) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(32) {
      shown.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return "“\(shown)\(text.unicodeScalars.count > 32 ? "…" : "")”"
  }
}
