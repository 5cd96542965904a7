public import Frames

/// A recorder reduces its effort, or increases it again: how, and why.
public struct EffortChange: Hashable, Sendable {
  public enum Cause: String, Hashable, Sendable, CaseIterable {
    /// The encoder is too slow, or has been.
    case load
    /// The machine is too warm, or has been.
    case heat
  }

  public var cause: Cause
  /// The step for this cause; 0 is full effort.
  public var step: Int
  /// The next file's preset; `nil` if the encoder has no presets.
  public var preset: String?
  /// Threads that bake from now on.
  public var workers: Int
  public var sentence: Sentence
  /// Frames are lost until the next file begins.
  package var isUrgent = false

  /// The sentence as the command line says it, with its options.
  public var message: String { sentence.withOptions }
}
