/// How a recording light shines: a value, of what the recorder does and for how long, in nanoseconds.
public struct LightPattern: Hashable, Sendable {
  public enum Sign: Hashable, Sendable {
    /// Nothing is recorded.
    case off
    /// A film is recorded.
    case steady
    /// A film is to be recorded, and the camera is away or has failed.
    case fault
  }

  /// Short blinks before it is steady; 0 makes none.
  public var startBlinks: Int

  /// Nanoseconds: half of a blink at the start, and of one that says that something is wrong.
  static let short: Int64 = 150_000_000
  static let long: Int64 = 1_000_000_000

  public init(startBlinks: Int) { self.startBlinks = startBlinks }

  /// - Parameter elapsed: since the sign is given.
  public func isLit(_ sign: Sign, for elapsed: Int64) -> Bool {
    switch sign {
    case .off: return false
    case .fault: return (elapsed / LightPattern.long).isMultiple(of: 2)
    case .steady:
      let half = elapsed / LightPattern.short
      return half >= Int64(2 * startBlinks) || half.isMultiple(of: 2)
    }
  }
}
