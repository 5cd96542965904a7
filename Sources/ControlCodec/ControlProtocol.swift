import Foundation
import RecorderAPI

/// The line protocol for watching and controlling a running recorder, described in `Documentation/ControlProtocol.md`.
///
/// Each line is a JSON object in UTF-8 and ends in a line feed.
public enum ControlProtocol {
  /// Adding members to objects, or commands, keeps the number; any other change needs a new one.
  public static let version = 1

  /// The longest request in bytes, without its line feed. The longest useful one contains a path of at most 4 KiB.
  public static let lineLimit = 65_536

  /// The shortest time between two events that tell a watcher of counters and levels: as fast as a person sees a number
  /// change. What a command has changed is told at once.
  public static let newsInterval = Duration.milliseconds(100)

  /// How long a request of a remote that has said hello may take; what begins or ends a film may take longer.
  public static let deadline = Duration.seconds(10), filmDeadline = Duration.seconds(60)
  /// The deadlines that a hello may ask for, in seconds.
  public static let deadlines = 0.001...3600.0

  /// The message with its members sorted by name, and a line feed.
  public static func line(_ message: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(DateText.text(date))
    }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
    do {
      return Array(try encoder.encode(message)) + [UInt8(ascii: "\n")]
    } catch {
      preconditionFailure("every message has a form in JSON: \(error)")
    }
  }

  /// Reads what `line` wrote.
  public static func read<Message: Decodable>(_ kind: Message.Type, from line: String) throws -> Message {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer(), text = try container.decode(String.self)
      guard let date = DateText.read(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no date")
      }
      return date
    }
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: "-" + infinity, nan: notANumber)
    return try decoder.decode(kind, from: Data(line.utf8))
  }

  private static let (infinity, notANumber) = ("infinity", "nan")
}
