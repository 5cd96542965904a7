/// A recorder does with less, or with more again: what, and why.
public struct EffortChange: Hashable, Sendable {
  public enum Cause: String, Hashable, Sendable, CaseIterable {
    /// The encoder is too slow, or has been.
    case load
    /// The machine is too warm, or has been.
    case heat
  }

  public var cause: Cause
  /// Of that cause, from 0, where everything is as it was asked for.
  public var step: Int
  /// The next file's preset; `nil` where the encoder has none.
  public var preset: String?
  /// Threads that bake from now on.
  public var workers: Int
  public var sentence: String
  /// Frames are lost until the next file begins.
  package var isUrgent = false
}
