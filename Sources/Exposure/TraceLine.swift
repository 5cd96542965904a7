import Frames

/// One line of a trace: a word, then `key=value` in a fixed order, with single blanks between them.
struct TraceLine {
  let word: String
  private var fields: ArraySlice<(key: String, value: String)>

  /// Throws a `Fault` where a field is no `key=value`.
  init(_ text: String) throws(Fault) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    word = String(parts[0])
    var fields: [(key: String, value: String)] = []
    for part in parts.dropFirst() {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else { throw Fault("\(Self.quoted(part)) where KEY=VALUE belongs") }
      fields.append((String(halves[0]), String(halves[1])))
    }
    self.fields = fields[...]
  }

  /// What is wrong with a line; where it stands is added by whoever knows.
  struct Fault: Error {
    let words: String
    init(_ words: String) { self.words = words }
  }

  /// The value of the next field, which is `key`.
  mutating func value(_ key: String) throws(Fault) -> String {
    guard let field = fields.popFirst() else { throw Fault("\(key) is missing") }
    guard field.key == key else { throw Fault("\(Self.quoted(field.key)) where \(key) belongs") }
    return field.value
  }

  /// The same where the field may be left out.
  mutating func optionalValue(_ key: String) throws(Fault) -> String? {
    fields.first?.key == key ? try value(key) : nil
  }

  mutating func number(_ key: String, _ range: ClosedRange<Int64>) throws(Fault) -> Int64 {
    try Self.number(try value(key), key, range)
  }

  mutating func stops(_ key: String) throws(Fault) -> Stops { try Self.stops(try value(key), key) }

  mutating func flag(_ key: String) throws(Fault) -> Bool { try number(key, 0...1) == 1 }

  /// Nothing may follow.
  func end() throws(Fault) {
    if let field = fields.first { throw Fault("\(Self.quoted(field.key + "=" + field.value)) where the line ends") }
  }

  /// As written by a trace: no sign that says nothing, no zero in front.
  static func number(_ text: some StringProtocol, _ key: String, _ range: ClosedRange<Int64>) throws(Fault) -> Int64 {
    guard let number = Int64(text), String(number) == text, range.contains(number) else {
      let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      throw Fault("\(key) is \(quoted(text)); \(allowed) belongs there")
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
    guard halves.count == 2 else { throw Fault("\(key) is \(quoted(text)); NANOSECONDS/GAIN belongs there") }
    return ExposureSetting(
      nanoseconds: try number(halves[0], key, 1...ExposureLimits.longestTime), gainStops: try stops(halves[1], key))
  }

  /// As a message may show it: short, without control characters.
  static func quoted(_ text: some StringProtocol) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(32) {
      shown.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return "“\(shown)\(text.unicodeScalars.count > 32 ? "…" : "")”"
  }
}
