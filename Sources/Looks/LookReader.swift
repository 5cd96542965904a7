import Frames
import Platform
import SectionFile

/// A block of a look file: all its keys are required, and no others are allowed.
struct LookReader {
  /// A word or a number as written.
  struct Word {
    let word: String
    let place: FilePlace
  }

  let place: FilePlace
  private let path: String
  private let values: [String: PlacedValue]

  /// - Parameter path: of the block, with a dot at its end; empty for the file.
  init(_ value: PlacedValue, keys: [String], path: String = "") throws(FileFinding) {
    guard case .block(let entries) = value.content else {
      throw FileFinding(
        .error, value.place, key: path.isEmpty ? nil : String(path.dropLast()),
        "write the keys \(keys.joined(separator: ", ")) here; this is \(value.kind)")
    }
    var values: [String: PlacedValue] = [:]
    for entry in entries {
      guard keys.contains(entry.key) else {
        let rest = NearSpelling.of(entry.key, among: keys).map { "; did you mean \($0)?" }
        throw FileFinding(
          .error, entry.place, key: path + entry.key,
          "there is no key '\(entry.key)'" + (rest ?? "; the keys are \(keys.joined(separator: ", "))"))
      }
      values[entry.key] = entry.value
    }
    if let missing = keys.first(where: { values[$0] == nil }) {
      throw FileFinding(
        .error, value.place, key: path + missing, "the key '\(missing)' is missing; all keys are required, so add it")
    }
    place = value.place
    self.path = path
    self.values = values
  }

  func value(_ key: String) throws(FileFinding) -> PlacedValue {
    guard let value = values[key] else { throw FileFinding(.error, place, key: path + key, "the key is missing") }
    return value
  }

  func word(_ key: String) throws(FileFinding) -> Word { try Self.word(try value(key), key: path + key) }

  func list(_ key: String, _ things: String) throws(FileFinding) -> [PlacedValue] {
    let value = try value(key)
    guard case .list(let values) = value.content, !values.isEmpty else {
      throw FileFinding(.error, value.place, key: path + key, "write a list of \(things) here; this is \(value.kind)")
    }
    return values
  }

  func block(_ key: String, keys: [String]) throws(FileFinding) -> LookReader {
    try LookReader(try value(key), keys: keys, path: "\(path)\(key).")
  }

  func number(
    _ key: String, in range: ClosedRange<Double>, unit: String = ""
  ) throws(FileFinding) -> Double {
    try Self.number(try value(key), key: path + key, in: range, unit: unit)
  }

  func whole(_ key: String, in range: ClosedRange<Int>) throws(FileFinding) -> Int {
    let word = try word(key)
    guard let number = Int(word.word), range.contains(number) else {
      throw FileFinding(
        .error, word.place, key: path + key,
        "this must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(word.word)'")
    }
    return number
  }

  static func word(_ value: PlacedValue, key: String) throws(FileFinding) -> Word {
    guard case .word(let text) = value.content else {
      throw FileFinding(.error, value.place, key: key, "this must be one value, not \(value.kind)")
    }
    guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw FileFinding(
        .error, value.place, key: key,
        text.isEmpty ? "the value is missing; add it" : "a value must be on one line, without control characters")
    }
    return Word(word: text, place: value.place)
  }

  static func number(
    _ value: PlacedValue, key: String, in range: ClosedRange<Double>, unit: String = ""
  ) throws(FileFinding) -> Double {
    let word = try word(value, key: key)
    // Swift's own reading takes hexadecimal numbers, too.
    guard word.word.allSatisfy({ "0123456789+-.eE".contains($0) }), let number = Double(word.word),
      range.contains(number)
    else {
      throw FileFinding(
        .error, word.place, key: key,
        "this must be a number from \(short(range.lowerBound)) to \(short(range.upperBound))\(unit), not "
          + "'\(word.word)'")
    }
    return number
  }

  private static func short(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String(number)
  }
}
