/// What is not as in the golden. Pictures count from 0, in the golden where that has them.
public enum FrameDifference: Hashable, Sendable {
  /// The pictures have another size or layout.
  case format(golden: String, film: String)
  /// At the golden's time stands a picture that is none of the golden's.
  case changed(ClosedRange<Int>)
  /// In place of picture `of` the golden's picture `shows` is seen.
  case replaced(of: Int, shows: Int)
  /// They are in the golden only.
  case dropped(ClosedRange<Int>)
  /// Behind the golden's picture `of` the film, in which it is picture `film`, shows it again.
  case doubled(of: Int, film: Int)
  /// They are in the film only, in which they have these places.
  case added(ClosedRange<Int>)
  /// They come later by so many nanoseconds, or earlier.
  case shifted(ClosedRange<Int>, nanoseconds: Int64)
  /// So many nanoseconds the last picture lasts.
  case ending(golden: Int64, film: Int64)
}
