/// Why an expected frame is not in the film.
public enum LossReason: String, Hashable, Sendable, CaseIterable {
  /// The camera's own count, or its clock, jumped: the frame never arrived.
  case deviceGap
  /// The camera marked the frame as damaged, or the frame could not be decoded.
  case deviceError
  /// No buffer was free: the bake or the encoder could not keep up.
  case overload
  /// The disk did not take it.
  case disk
  /// camrec or a library below it failed on this frame.
  case defect
}
