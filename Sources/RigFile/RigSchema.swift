/// The keys that a camera of a rig file may have: the long options of `camrec record`, without their dashes.
public struct RigSchema: Sendable {
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

  public let options: [Option]
  /// Options that a file may not say, and why.
  public let refused: [String: String]

  public init(options: [Option], refused: [String: String] = [:]) {
    self.options = options.filter { refused[$0.name] == nil }
    self.refused = refused
  }

  func option(_ name: String) -> Option? { options.first { $0.name == name } }
  var names: [String] { options.map(\.name) }
}
