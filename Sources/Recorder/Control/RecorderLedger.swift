import Frames

/// The account of all films of a recorder.
struct RecorderLedger: Hashable, Sendable {
  private var counts = RecorderState.Ledger()

  /// The key in `RecorderState.Ledger.lost` for frames due between a film and the one that continues it.
  static let between = "between"

  mutating func add(_ film: FrameLedger.Counts) {
    counts.expected += film.expected
    counts.captured += film.captured
    counts.written += film.written
    for reason in LossReason.allCases where film.lost(reason) > 0 {
      counts.lost[reason.rawValue, default: 0] += film.lost(reason)
    }
  }

  mutating func add(between frames: Int) {
    guard frames > 0 else { return }
    counts.expected += frames
    counts.lost[RecorderLedger.between, default: 0] += frames
  }

  /// The account of one film.
  static func reading(of film: FrameLedger.Counts) -> RecorderState.Ledger { RecorderLedger().reading(with: [film]) }

  /// The account including unfinished films.
  func reading(with films: [FrameLedger.Counts]) -> RecorderState.Ledger {
    var sum = self
    for film in films { sum.add(film) }
    return sum.counts
  }
}

extension RecorderState.Ledger {
  /// Frames that were due in a film and are not in any.
  public var lostFrames: Int {
    lost.reduce(0) { $1.key == RecorderLedger.between ? $0 : $0.addingSaturated($1.value) }
  }

  /// Frames due between a film and the one that continues it, which belong to no film.
  public var framesBetweenFilms: Int { lost[RecorderLedger.between] ?? 0 }
}
