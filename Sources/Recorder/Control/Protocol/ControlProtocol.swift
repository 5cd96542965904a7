import Foundation

/// The lines in which a running recorder is watched and told what to do; `Documentation/ControlProtocol.md` has them.
///
/// Each line is a JSON object in UTF-8 and ends in a line feed.
public enum ControlProtocol {
  /// Members may be added to a version's objects, and commands to its list; everything else asks for another number.
  public static let version = 1

  /// Bytes of a request, its line feed not counted. The longest that anybody means has a path in it, at most 4 KiB.
  public static let lineLimit = 65_536

  /// Between two states that a watcher is told unasked: as often as a person sees a number change.
  public static let newsInterval = Duration.milliseconds(100)

  /// Sorted by name, with its line feed.
  public static func line(_ message: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.formatted(dates))
    }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
    do {
      return Array(try encoder.encode(message)) + [UInt8(ascii: "\n")]
    } catch {
      preconditionFailure("every message has a form in JSON: \(error)")
    }
  }

  /// What `line` wrote.
  public static func read<Message: Decodable>(_ kind: Message.Type, from line: String) throws -> Message {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      try dates.parse(try decoder.singleValueContainer().decode(String.self))
    }
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
    return try decoder.decode(kind, from: Data(line.utf8))
  }

  private static let dates = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let (infinity, notANumber) = ("infinity", "nan")
}
