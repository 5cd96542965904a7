/// The look that a film or a photograph was baked with.
public struct LookIdentity: Hashable, Sendable, Codable {
  public var name: String
  /// The look's own version.
  public var version: Int
  /// Of the grain.
  public var seed: UInt64
  /// The number of the first frame's grain: frame n of the film has that of this number plus n. `nil` for 0, or if it
  /// is not known.
  public var frame: Int64?
  /// Of the grain's blur, in pixels of the film; `nil` without grain, or if it is not known.
  public var sigma: Double?

  public init(name: String, version: Int, seed: UInt64, frame: Int64? = nil, sigma: Double? = nil) {
    self.name = name
    self.version = version
    self.seed = seed
    self.frame = frame
    self.sigma = sigma
  }

  /// The same look in a film whose first frame has the grain of `frame`.
  public func from(frame: Int64) -> LookIdentity {
    var look = self
    look.frame = frame == 0 ? nil : frame
    return look
  }

  /// For people: `portra-400, version 1, grain seed 1`. Goldens and metadata hold it, so it never changes.
  public var words: String { "\(name), version \(version), grain seed \(seed)" }
}
