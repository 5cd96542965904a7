/// A part of a name that `strftime` has written, and what it can be.
enum NamePiece: Hashable, Sendable {
  case literal([UInt8])
  /// Decimal digits, as many as the range says.
  case digits(ClosedRange<Int>)
  /// Two digits; the first may be a blank.
  case padded
  /// One of these, in any case.
  case words([String])
  /// `+` or `-`.
  case sign
  /// Letters, digits and signs: a time zone.
  case zone
  /// Nothing, or `-` and a number: a further film, or a segment.
  case number
  /// Anything at all.
  case anything

  /// Pieces of a film's name: a number may precede its extension.
  static func film(_ pattern: String) -> [NamePiece] {
    guard let dot = pattern.lastIndex(of: "."), dot != pattern.startIndex else {
      return pieces(of: pattern) + [.number]
    }
    return pieces(of: String(pattern[..<dot])) + [.number] + pieces(of: String(pattern[dot...]))
  }

  static func pieces(of pattern: String) -> [NamePiece] {
    var pieces: [NamePiece] = []
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        pieces.append(.literal([byte]))
        continue
      }
      guard let letter = rest.popFirst() else {
        pieces.append(.literal([byte]))
        break
      }
      if let known = conversion(letter) {
        pieces += known
      } else {
        // Flags, a width and a modifier belong to the letter after them.
        var last = letter
        while modifiers.contains(last), let next = rest.popFirst() { last = next }
        pieces.append(.anything)
      }
    }
    return pieces
  }

  private static let modifiers = Set("_-0123456789^#+EO".utf8)

  private static func conversion(_ letter: UInt8) -> [NamePiece]? {
    switch Character(UnicodeScalar(letter)) {
    case "%": [.literal([letter])]
    case "n": [.literal([UInt8(ascii: "\n")])]
    case "t": [.literal([UInt8(ascii: "\t")])]
    case "C", "d", "g", "H", "I", "m", "M", "S", "U", "V", "W", "y": [.digits(2...2)]
    case "Y", "G": [.digits(1...9)]
    case "j": [.digits(3...3)]
    case "u", "w": [.digits(1...1)]
    case "s": [.digits(1...19)]
    case "e", "k", "l": [.padded]
    case "z": [.sign, .digits(4...4)]
    case "Z": [.zone]
    case "p", "P": [.words(["am", "pm"])]
    case "a": [.words(days.map { String($0.prefix(3)) })]
    case "A": [.words(days)]
    case "b", "h": [.words(months.map { String($0.prefix(3)) })]
    case "B": [.words(months)]
    case "F": pieces(of: "%Y-%m-%d")
    case "T", "X": pieces(of: "%H:%M:%S")
    case "R": pieces(of: "%H:%M")
    case "r": pieces(of: "%I:%M:%S %p")
    case "c": pieces(of: "%a %b %e %H:%M:%S %Y")
    default: nil
    }
  }

  private static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// Whether these pieces can have written the whole name.
  static func match(_ pieces: ArraySlice<NamePiece>, _ name: ArraySlice<UInt8>) -> Bool {
    guard let piece = pieces.first else { return name.isEmpty }
    return piece.lengths(in: name).contains { match(pieces.dropFirst(), name.dropFirst($0)) }
  }

  /// How many of the first bytes this piece can have written; all possible numbers.
  private func lengths(in name: ArraySlice<UInt8>) -> [Int] {
    switch self {
    case .literal(let bytes): return name.starts(with: bytes) ? [bytes.count] : []
    case .digits(let range):
      let count = NamePiece.digits(name)
      return count < range.lowerBound ? [] : Array(range.lowerBound...min(count, range.upperBound)).reversed()
    case .padded:
      guard let first = name.first, first == UInt8(ascii: " ") || NamePiece.isDigit(first) else { return [] }
      return NamePiece.digits(name.dropFirst()) > 0 ? [2] : []
    case .words(let words):
      let lower = String(decoding: name, as: UTF8.self).lowercased()
      return words.filter { lower.hasPrefix($0) }.map(\.utf8.count)
    case .sign: return name.first == UInt8(ascii: "+") || name.first == UInt8(ascii: "-") ? [1] : []
    case .zone:
      let count = name.prefix { NamePiece.isDigit($0) || NamePiece.isLetter($0) || $0 == 0x2B || $0 == 0x2D }.count
      return Array((0...count).reversed())
    case .number:
      let count = name.first == UInt8(ascii: "-") ? NamePiece.digits(name.dropFirst()) : 0
      return count > 0 ? [count + 1, 0] : [0]
    case .anything: return Array(0...name.count)
    }
  }

  private static func digits(_ name: ArraySlice<UInt8>) -> Int { name.prefix(while: isDigit).count }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
}
