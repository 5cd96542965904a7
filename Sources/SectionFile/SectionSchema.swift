/// What a rig file or a suite may contain: the names of its sections, the keys of each (the long options of a command,
/// without their dashes), and the keys of the file itself.
public struct SectionSchema: Sendable {
  /// What the file and its sections are called.
  public struct Names: Hashable, Sendable {
    /// `rig file`.
    public let file: String
    /// `camera`, in the file's errors.
    public let one: String
    /// `cameras`, the key that they are under.
    public let all: String
    /// Sections in a file, at most.
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
    /// The only words allowed; empty: whatever its parser accepts.
    public let words: [String]
    /// Whether it may be a list.
    public let isRepeating: Bool
    /// The placeholder for its value in help: `WxH`.
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
  /// Keys of the file besides its sections and `defaults`.
  public let keys: [String]
  public let options: [Option]
  /// Options that are not allowed in a file, and why.
  public let refused: [String: String]
  /// Bytes in a file, at most.
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
