import Frames
import RecorderAPI

/// The account of all films of a recorder.
struct RecorderLedger: Hashable, Sendable {
  private var counts = RecorderState.Ledger()

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
    counts.lost[RecorderState.Ledger.between, default: 0] += frames
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
