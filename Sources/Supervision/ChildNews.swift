import Foundation

/// A line of JSON from a recorder's standard output, as far as its supervisor reads it.
public struct ChildNews: Hashable, Sendable, Decodable {
  public struct Ledger: Hashable, Sendable, Decodable {
    public let expected: Int
    public let captured: Int
    public let written: Int
    public let lost: [String: Int]
  }

  public struct Sound: Hashable, Sendable, Decodable {
    /// Samples.
    public let lost: Int
  }

  public struct Failure: Hashable, Sendable, Decodable {
    public let code: String
    public let message: String
    public let cause: String?
  }

  /// `started`, `standby`, `progress`, `warning`, `stopped`, `ended`, and any that are added later.
  public let event: String
  public let message: String?
  /// In `warning`: `error` if it is one.
  public let severity: String?
  /// In `alive`: what the recorder is doing.
  public let phase: String?
  public let output: String?
  public let camera: String?
  public let width: Int?
  public let height: Int?
  public let fps: Rate?
  public let ledger: Ledger?
  /// In `stopped`, if the recording is divided into segments.
  public let segments: Int?
  public let sound: Sound?
  /// In `stopped`: frames that were due between the film before and this one.
  public let between: Int?
  /// In `stopped`: the film's. In `ended`: how the recorder ended, which its exit status does not say.
  public let status: Int32?
  /// In `ended`: somebody asked for the end.
  public let isAsked: Bool?
  public let error: Failure?

  /// The exact rate as text in `started`, the measured rate as a number in `progress`.
  public enum Rate: Hashable, Sendable, Decodable {
    case exact(String)
    case measured(Double)

    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self =
        if let text = try? container.decode(String.self) { .exact(text) } else {
          .measured(try container.decode(Double.self))
        }
    }
  }

  /// - Returns: `nil` for a line that is not an event.
  public init?(line: String) {
    guard line.hasPrefix("{"), let news = try? JSONDecoder().decode(ChildNews.self, from: Data(line.utf8)) else {
      return nil
    }
    self = news
  }
}
