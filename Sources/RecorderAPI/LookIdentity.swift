/// The look that a film or a photograph was baked with.
public struct LookIdentity: Hashable, Sendable, Codable {
  public var name: String
  /// The look's own version.
  public var version: Int
  /// Of the grain; frame n of the recording has grain n.
  public var seed: UInt64

  public init(name: String, version: Int, seed: UInt64) {
    self.name = name
    self.version = version
    self.seed = seed
  }

  /// For people: `portra-400, version 1, grain seed 1`. Goldens and metadata hold it, so it never changes.
  public var words: String { "\(name), version \(version), grain seed \(seed)" }
}
