import Frames

extension RecorderState.Ledger {
  /// The key in `lost` for frames due between a film and the one that continues it.
  public static let between = "between"

  /// Frames that were due in a film and are not in any.
  public var lostFrames: Int {
    lost.reduce(0) { $1.key == RecorderState.Ledger.between ? $0 : $0.addingSaturated($1.value) }
  }

  /// Frames due between a film and the one that continues it, which belong to no film.
  public var framesBetweenFilms: Int { lost[RecorderState.Ledger.between] ?? 0 }
}
