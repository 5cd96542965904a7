import Frames
import Movies
import Sidecar

/// Writes the notes of a session's threads to the sidecar of the file that they belong to, with places counted from
/// that file's beginning.
///
/// The file is known only when the writer reaches the note's place: until then the note waits.
/// `@unchecked Sendable`: used by the write thread, and after that was joined, by the thread that joined it.
final class SegmentNotes: @unchecked Sendable {
  private let source: SessionNotes?
  private let rate: Double
  private let sampleRate: Double
  private let timeBase: Double
  private var waiting: [SidecarRecord] = []
  /// Silences for lost sound before the film, and the samples in them.
  private(set) var forgotten: (count: Int, samples: Int64) = (0, 0)
  /// Behind the losses that a file got before the writer came to their place.
  private var lossEnd: (frame: Int64, sample: Int64) = (0, 0)

  /// Notes that may wait for their place.
  private static let most = 1024

  init(_ source: SessionNotes?, frameRate: FrameRate, sampleRate: Int?, timeBase: Rational) {
    self.source = source
    rate = frameRate.framesPerSecond
    self.sampleRate = Double(sampleRate ?? 48_000)
    self.timeBase = timeBase.doubleValue
  }

  /// Passes on the notes from before the writer's place.
  ///
  /// - Parameters:
  ///   - files: in order, with the one being recorded last.
  ///   - frame: the next frame to be written, or the one written last.
  ///   - ticks: the writer's place in ticks of the recording.
  ///   - sample: samples up to here have been written, each to its file.
  func pass(to files: [OpenSegment], frame: Int64, ticks: Int64, sample: Int64) {
    while waiting.count < SegmentNotes.most, let note = source?.take() { waiting.append(note) }
    guard !waiting.isEmpty, let current = files.last else { return }
    let seconds = Double(ticks) * timeBase
    waiting = waiting.compactMap { note in
      switch note {
      case .frameLoss(_, let first?, _) where first > frame: return note
      case .warning(_, let at) where at > seconds, .note(_, let at) where at > seconds,
        .setting(_, _, let at) where at > seconds, .marker(_, let at) where at > seconds:
        return note
      case .soundLoss(let first, let count) where first + count > sample:
        // The file of the rest is not known yet.
        guard sample > first else { return note }
        putSound(first, sample - first, files)
        return .soundLoss(sample: sample, count: first + count - sample)
      default:
        put(note, files, current)
        return nil
      }
    }
  }

  /// Forgets notes about a time that no film will include.
  ///
  /// - Parameters:
  ///   - frame: the first one that a film may have.
  ///   - seconds: its time.
  ///   - sample: the sound's place at that time.
  func forget(before frame: Int64, seconds: Double, sample: Int64) {
    while let note = source?.take() { waiting.append(note) }
    if waiting.count > SegmentNotes.most { waiting.removeFirst(waiting.count - SegmentNotes.most) }
    guard !waiting.isEmpty else { return }
    waiting = waiting.compactMap { note in
      switch note {
      case .frameLoss(let reason, let first?, let count):
        let lost = max(0, min(count, frame - first))
        return lost == count ? nil : .frameLoss(reason, frame: first + lost, count: count - lost)
      case .frameLoss(_, nil, _): return nil
      case .warning(_, let at), .note(_, let at), .setting(_, _, let at), .marker(_, let at):
        return at < seconds ? nil : note
      case .soundLoss(let first, let count):
        let lost = max(0, min(count, sample - first))
        forgotten.samples += lost
        if lost == count { forgotten.count += 1 }
        return lost == count ? nil : .soundLoss(sample: first + lost, count: count - lost)
      default: return note
      }
    }
  }

  /// Losses that wait for their place.
  var waitingLosses: [(reason: LossReason, frame: Int64?, count: Int64)] {
    waiting.compactMap {
      if case .frameLoss(let reason, let frame, let count) = $0 { (reason, frame, count) } else { nil }
    }
  }

  /// Passes on everything that is left, at the end.
  func passAll(to last: OpenSegment) {
    while let note = source?.take() { waiting.append(note) }
    waiting.forEach { put($0, [last], last) }
    waiting = []
  }

  /// Passes on notes at once, for a recording without segments. A marker waits for its frame, which begins another file
  /// if this one has been deleted.
  ///
  /// - Parameter ticks: the writer's place in ticks of the recording.
  func passAtOnce(to file: OpenSegment, ticks: Int64) {
    while waiting.count < SegmentNotes.most, let note = source?.take() { waiting.append(note) }
    guard !waiting.isEmpty else { return }
    let seconds = Double(ticks) * timeBase
    waiting = waiting.filter { note in
      switch note {
      case .marker(_, let at) where at > seconds: return true
      case .frameLoss(_, let first?, let count): lossEnd.frame = max(lossEnd.frame, first + count)
      case .soundLoss(let first, let count): lossEnd.sample = max(lossEnd.sample, first + count)
      default: break
      }
      put(note, [file], file)
      return false
    }
  }

  /// Whether a file has got losses from behind a frame, or behind the sample at its time.
  func isAhead(of frame: Int64, sample: Int64) -> Bool { lossEnd.frame > frame || lossEnd.sample > sample }

  private func put(_ note: SidecarRecord, _ files: [OpenSegment], _ current: OpenSegment) {
    switch note {
    case .frameLoss(let reason, let frame?, let count):
      let file = files.last { $0.firstFrame <= frame } ?? files[0]
      file.sidecar?.append(.frameLoss(reason, frame: max(0, frame - file.firstFrame), count: count))
    case .soundLoss(let sample, let count):
      putSound(sample, count, files)
    case .warning(let sentence, let seconds):
      let (file, seconds) = place(seconds, files, current)
      file.sidecar?.append(.warning(sentence, seconds: seconds))
    case .note(let sentence, let seconds):
      let (file, seconds) = place(seconds, files, current)
      file.sidecar?.append(.note(sentence, seconds: seconds))
    case .setting(let name, let value, let seconds):
      let (file, seconds) = place(seconds, files, current)
      file.sidecar?.append(.setting(name, value: value, seconds: seconds))
    case .marker(let text, let seconds):
      let (file, seconds) = place(seconds, files, current)
      file.sidecar?.append(.marker(text, seconds: seconds))
      file.sink.mark(text, at: seconds)
    default: current.sidecar?.append(note)
    }
  }

  /// A silence that crosses the boundary of two files is a loss of both.
  private func putSound(_ sample: Int64, _ count: Int64, _ files: [OpenSegment]) {
    var sample = sample
    let end = sample + count
    for (index, file) in files.enumerated() where sample < end {
      let next = index + 1 < files.count ? files[index + 1].firstSample : .max
      guard sample < next else { continue }
      let part = min(end, next) - sample
      let place = max(0, sample - file.firstSample)
      file.soundLost += part
      file.silences.add(place..<place + part)
      file.sidecar?.append(.soundLoss(sample: place, count: part))
      sample += part
    }
  }

  private func place(
    _ seconds: Double, _ files: [OpenSegment], _ current: OpenSegment
  ) -> (OpenSegment, Double) {
    let file = files.last { Double($0.firstTicks) * timeBase <= seconds } ?? files[0]
    return (file, max(0, seconds - Double(file.firstTicks) * timeBase))
  }
}
