/// A difference of a film's audio from the golden. Blocks are the golden's, from 0; lengths and shifts are in sample
/// frames.
public enum SoundDifference: Hashable, Sendable {
  /// Another sample rate, other channels or another bit depth.
  case format(golden: String, film: String)
  /// All of it comes later by this much; negative: earlier.
  case shifted(by: Int64)
  case length(golden: Int64, film: Int64)
  /// Blocks that differ, after correcting any shift. Blocks that the film lacks are not among them.
  case changed(ClosedRange<Int>)
}
