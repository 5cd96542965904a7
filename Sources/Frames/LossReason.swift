/// Why a frame that was due is not in the movie.
public enum LossReason: String, Hashable, Sendable, CaseIterable {
  /// The camera's own count, or its clock, jumped: the frame never arrived.
  case deviceGap
  /// The camera marked the frame as damaged, or it did not decode.
  case deviceError
  /// No place was free: bake or encoder could not keep up.
  case overload
  /// The output refused it.
  case disk
  /// Camrec, or a library below it, failed at it.
  case defect
}
