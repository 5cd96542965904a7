import Frames
import Sidecar

/// Compares a film's audio with what its sidecar says of it: how far it goes, and what was lost.
struct AudioComparison {
  /// Samples of each channel in the film.
  private let stored: Int64
  private let samplesPerTick: Rational
  private let frameTicks: Int64
  /// The audio is a clip's, and may end before the clip's frames do.
  private let isOfClip: Bool
  private var last: SidecarFrame?
  /// The number behind the last lost frame.
  private var lossesEnd: Int64 = 0
  /// Samples of each channel that were recorded, as the account says; `nil` if there is none.
  private var recorded: Int64?
  /// Audio behind the film's end that was lost before the film was cut off.
  private var lost: [Range<Int64>] = []
  /// Where the film has silence in place of gaps, behind the audio that was lost before as far as that is known.
  private var silence: ArraySlice<Range<Int64>>
  private var lossEnd: Int64 = 0
  /// Samples of each channel that are silence and were not lost before.
  private(set) var silent: Int64

  /// - Parameter frameTicks: how long a frame lasts, in the sidecar's ticks.
  /// - Returns: `nil` without audio.
  init?(_ film: FilmExtent, _ head: SidecarHead, frameTicks: Int64) {
    guard let samples = film.soundSamples, let sampleRate = head.sampleRate,
      let samplesPerTick = head.timeBase.product(with: Rational(Int64(sampleRate)))
    else { return nil }
    stored = samples
    silence = film.silence[...]
    silent = film.silence.reduce(0) { $0.addingSaturated($1.upperBound - $1.lowerBound) }
    self.samplesPerTick = samplesPerTick
    self.frameTicks = frameTicks
    isOfClip = head.hasAudioOfClip
  }

  mutating func add(_ record: SidecarRecord) {
    switch record {
    case .frame(let frame): last = frame
    case .frameLoss(_, let frame?, let count): lossesEnd = max(lossesEnd, frame.addingSaturated(count))
    case .soundLoss(let sample, let count):
      let end = sample.addingSaturated(count)
      if end > stored { lost.append(max(sample, stored)..<end) }
      let begin = max(sample, lossEnd)
      guard end > begin else { return }
      takeSilence(in: begin..<end)
      lossEnd = end
    case .end(let end): recorded = end.soundFrames.map { max(0, $0) }
    default: break
    }
  }

  /// Losses come in order.
  private mutating func takeSilence(in loss: Range<Int64>) {
    while let range = silence.first, range.lowerBound < loss.upperBound {
      silent -= max(0, min(range.upperBound, loss.upperBound) - max(range.lowerBound, loss.lowerBound))
      guard range.upperBound <= loss.upperBound else { return }
      silence = silence.dropFirst()
    }
  }

  /// Where the last frame with a record ends: one that is in the film, or a lost one.
  private var endTicks: Int64 {
    guard let last else { return lossesEnd.multipliedSaturated(by: frameTicks) }
    let distance = max(1, lossesEnd.subtractingSaturated(last.index))
    return last.ticks.addingSaturated(distance.multipliedSaturated(by: frameTicks))
  }

  /// Samples of each channel that were recorded, or due up to the end of the last frame or lost frame, and that are
  /// neither in the film nor lost before. Nobody knows how many a clip would have had.
  ///
  /// - Parameter pictureEnd: where the film's frames end, in the sidecar's ticks: it may have more than are listed.
  func missing(behind pictureEnd: Int64) -> Int64 {
    // Rounded down: where a segment begins between two samples, it may have one less.
    let due = Int128(max(endTicks, pictureEnd)) * Int128(samplesPerTick.numerator) / Int128(samplesPerTick.denominator)
    let end = recorded ?? (isOfClip ? stored : Int64(clamping: due))
    let known = lost.reduce(Int64(0)) { $0.addingSaturated(max(0, min($1.upperBound, end) - $1.lowerBound)) }
    return max(0, end.subtractingSaturated(stored).subtractingSaturated(known))
  }
}
