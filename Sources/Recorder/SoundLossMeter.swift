import Sidecar

/// Turns a sound track's account into losses: a silence filled bit by bit is one loss, or one a second if it lasts.
struct SoundLossMeter {
  private let sampleRate: Int64
  private var lost: Int64 = 0
  private var begin: Int64 = 0
  private var pending: Int64 = 0

  /// Samples from the beginning, out of `written`, whose losses have all been reported.
  func settled(written: Int64) -> Int64 { pending > 0 ? begin : written }

  init(sampleRate: Int) { self.sampleRate = Int64(sampleRate) }

  /// Reads the account after something was laid.
  ///
  /// - Parameters:
  ///   - written: samples of each channel in the film.
  ///   - lost: samples among them that stand for lost sound.
  ///   - place: where the latest of these begin.
  ///   - isEnd: nothing more will be laid.
  mutating func read(written: Int64, lost: Int64, at place: Int64, isEnd: Bool = false) -> SidecarRecord? {
    let more = lost - self.lost
    self.lost = lost
    if more > 0 {
      if pending == 0 { begin = place }
      pending += more
    }
    guard pending > 0, isEnd || more == 0 || pending >= sampleRate else { return nil }
    defer { pending = 0 }
    return .soundLoss(sample: begin, count: pending)
  }
}
