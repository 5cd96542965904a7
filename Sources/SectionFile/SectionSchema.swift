/// What a file of sections may say: what its sections are called, the keys that each may have (the long options of a
/// command, without their dashes), and the keys of the file itself.
public struct SectionSchema: Sendable {
  /// What the file and its sections are called.
  public struct Names: Hashable, Sendable {
    /// `rig file`.
    public let file: String
    /// `camera`, in the file's errors.
    public let one: String
    /// `cameras`, the key below which they stand.
    public let all: String
    /// Sections that a file may have.
    public let limit: Int

    public init(file: String, one: String, all: String, limit: Int) {
      self.file = file
      self.one = one
      self.all = all
      self.limit = limit
    }
  }

  public struct Option: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// `true` or `false`.
      case flag
      case value
    }

    public let name: String
    public let kind: Kind
    /// The only words that it takes; none: whatever its parser takes.
    public let words: [String]
    /// Also a list.
    public let isRepeating: Bool
    /// What stands for its value in help: `WxH`.
    public let valueName: String

    public init(
      _ name: String, _ kind: Kind = .value, words: [String] = [], isRepeating: Bool = false,
      valueName: String = "value"
    ) {
      self.name = name
      self.kind = kind
      self.words = words
      self.isRepeating = isRepeating
      self.valueName = valueName
    }
  }

  public let names: Names
  /// Keys of the file beside its sections and `defaults`.
  public let keys: [String]
  public let options: [Option]
  /// Options that a file may not say, and why.
  public let refused: [String: String]
  /// Bytes that a file may have.
  public let byteLimit: Int

  public init(
    names: Names, keys: [String] = [], options: [Option], refused: [String: String] = [:], byteLimit: Int = 256 << 10
  ) {
    self.names = names
    self.keys = keys
    self.byteLimit = byteLimit
    self.options = options.filter { refused[$0.name] == nil }
    self.refused = refused
  }

  func option(_ name: String) -> Option? { options.first { $0.name == name } }
  var optionNames: [String] { options.map(\.name) }
}
