/// A difference from the golden. Frames count from 0, in the golden if it has them.
public enum FrameDifference: Hashable, Sendable {
  /// The frames have another size or layout.
  case format(golden: String, film: String)
  /// At the golden's time there is a frame that the golden does not have.
  case changed(ClosedRange<Int>)
  /// In place of frame `of`, the film shows the golden's frame `shows`.
  case replaced(of: Int, shows: Int)
  /// Frame `first` and the one after it have changed places.
  case swapped(first: Int)
  /// Frames that the film has at another place in its order, where they are its frames `film`.
  case moved(ClosedRange<Int>, film: ClosedRange<Int>)
  /// Frames that only the golden has.
  case dropped(ClosedRange<Int>)
  /// The film repeats the golden's frame `of`; the repetitions are its frames `film`.
  case repeated(of: Int, film: ClosedRange<Int>)
  /// Frames that only the film has, counted in the film.
  case added(ClosedRange<Int>)
  /// Frames that come later by this many nanoseconds, the first of them; negative: earlier. `span`: from the least to
  /// the greatest, if the times are rounded otherwise.
  case shifted(ClosedRange<Int>, nanoseconds: Int64, span: ClosedRange<Int64>? = nil)
  /// The duration of the last frame in nanoseconds.
  case ending(golden: Int64, film: Int64)
}
