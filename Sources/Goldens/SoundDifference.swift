/// What of a film's sound is not as in the golden. Blocks are the golden's, from 0; lengths and shifts are in sample
/// frames.
public enum SoundDifference: Hashable, Sendable {
  /// It has another rate, other channels or samples of other bits.
  case format(golden: String, film: String)
  /// All of it comes later by so much, or earlier where that is negative.
  case shifted(by: Int64)
  case length(golden: Int64, film: Int64)
  /// These blocks are others, with the shift, where there is one, reckoned in. What the film does not have at all is
  /// not among them.
  case changed(ClosedRange<Int>)
}
