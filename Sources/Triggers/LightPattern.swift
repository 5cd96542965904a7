/// How a recording light shines, given what the recorder does and for how long. A value.
public struct LightPattern: Hashable, Sendable {
  public enum Sign: Hashable, Sendable {
    /// Nothing is recorded.
    case off
    /// A film is recorded.
    case steady
    /// A film should be recorded, but the camera is away or has failed.
    case fault
  }

  /// Short blinks before the light is steady; 0 for none.
  public var startBlinks: Int

  /// Nanoseconds of half a blink: at the start, and for a fault.
  static let short: Int64 = 150_000_000
  static let long: Int64 = 1_000_000_000

  public init(startBlinks: Int) { self.startBlinks = startBlinks }

  /// - Parameter elapsed: nanoseconds since the sign began.
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
