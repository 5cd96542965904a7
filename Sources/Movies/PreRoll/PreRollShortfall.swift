/// A pre-roll's memory is too small: its frames need more than was expected of them.
public struct PreRollShortfall: Hashable, Sendable {
  /// Seconds that were left when the memory was full.
  public let seconds: Double
  /// Seconds to keep.
  public let wanted: Double
  /// A longer pre-roll has no more memory.
  public let isMostMemory: Bool

  public init(seconds: Double, wanted: Double, isMostMemory: Bool) {
    self.seconds = seconds
    self.wanted = wanted
    self.isMostMemory = isMostMemory
  }
}
