import Foundation

/// What a recording tells on its standard output, one JSON object on a line, as far as its supervisor looks at it.
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

  /// `started`, `standby`, `progress`, `warning`, `stopped`, and whatever is added.
  public let event: String
  public let message: String?
  /// Of `alive`: what the recorder does.
  public let phase: String?
  public let output: String?
  public let camera: String?
  public let width: Int?
  public let height: Int?
  public let fps: Rate?
  public let ledger: Ledger?
  /// Of `stopped`, where the recording is divided into segments.
  public let segments: Int?
  public let sound: Sound?
  public let status: Int32?
  public let error: Failure?

  /// The exact rate in words at the start, a measured number in between.
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

  /// - Returns: `nil` for what is no event.
  public init?(line: String) {
    guard line.hasPrefix("{"), let news = try? JSONDecoder().decode(ChildNews.self, from: Data(line.utf8)) else {
      return nil
    }
    self = news
  }
}
