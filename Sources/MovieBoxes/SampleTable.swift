/// A track's samples: how long each lasts, how large it is and where it lies. Grows with each fragment that is added:
/// about 12 bytes for a frame, 12 for a fragment's PCM.
struct SampleTable: Sendable {
  /// In ticks of the track.
  private(set) var durations = SampleRuns<UInt32>()
  /// From decoding to presentation.
  private(set) var offsets = SampleRuns<Int32>()
  private(set) var sizes: [UInt32] = []
  /// The size that all samples have; `sizes` is then empty. `nil` if sizes differ, and without samples.
  private(set) var commonSize: UInt32?
  /// Numbers, from 1, of the samples that can be decoded alone. PCM, where all can, needs no list.
  private(set) var syncs: [UInt32] = []
  private(set) var chunks: [(offset: UInt64, count: UInt32)] = []
  private(set) var count: UInt64 = 0
  /// Whether every sample can be decoded alone.
  private(set) var areAllSync = true
  /// Presentation times of the samples shown first and last, in ticks from the first one's decoding.
  private(set) var earliest: Int64?
  private(set) var latest: Int64?
  /// The duration of all samples, in ticks.
  private(set) var duration: UInt64 = 0

  /// Bytes of the table in an index: what each sample, run and chunk takes in stts, ctts, stsz, stss, stsc and co64
  /// (ISO/IEC 14496-12, 8.6 and 8.7), and 256 bytes for their heads.
  var indexBytes: Int64 {
    let runs = 8 * (durations.runs.count + offsets.runs.count), chunked = 20 * chunks.count
    return Int64(256 + runs + chunked + 4 * (sizes.count + syncs.count))
  }

  /// Begins a new chunk.
  mutating func beginChunk(at offset: UInt64) { chunks.append((offset, 0)) }

  /// - Precondition: a chunk has begun.
  mutating func add(size: UInt32, duration: UInt32, offset: Int32, isSync: Bool, count new: UInt32 = 1) {
    note(size, new)
    durations.append(duration, count: new)
    offsets.append(offset, count: new)
    if !isSync { areAllSync = false }
    if isSync, new == 1, count < UInt64(UInt32.max) { syncs.append(UInt32(count + 1)) }
    let time = Int64(clamping: self.duration).addingReportingOverflow(Int64(offset)).partialValue
    earliest = min(earliest ?? time, time)
    latest = max(latest ?? time, time)
    chunks[chunks.count - 1].count += new
    count += UInt64(new)
    self.duration += UInt64(duration) * UInt64(new)
  }

  /// The offset of chunks of silence until the file's end is known, and with it the place of the silence.
  static let silence = UInt64.max

  /// Adds `count` samples for lost audio. However many there are, their bytes lie in the file once: at most `atOnce` of
  /// them.
  mutating func addSilence(_ count: UInt64, size: UInt32, atOnce: UInt32) {
    var rest = count
    while rest > 0 {
      let new = UInt32(min(rest, UInt64(atOnce)))
      beginChunk(at: SampleTable.silence)
      add(size: size, duration: 1, offset: 0, isSync: true, count: new)
      rest -= UInt64(new)
    }
  }

  /// Samples of the longest chunk of silence.
  var longestSilence: UInt32 { chunks.reduce(0) { $1.offset == SampleTable.silence ? max($0, $1.count) : $0 } }

  private mutating func note(_ size: UInt32, _ new: UInt32) {
    if count == 0 {
      commonSize = size
    } else if commonSize != size {
      if let common = commonSize {
        sizes = Array(repeating: common, count: Int(count))
        commonSize = nil
      }
    }
    if commonSize == nil { for _ in 0..<new { sizes.append(size) } }
  }

  /// The duration of all samples but the last, in ticks.
  var durationBeforeLast: UInt64 { duration - UInt64(durations.last ?? 0) }

  /// The duration of the last sample, in ticks.
  var lastDuration: UInt32 { durations.last ?? 0 }

  /// The duration of all samples as shown, in ticks. If a reordered group is cut off in the middle, its samples are
  /// shown beyond the end of their decoding: a sample that was decoded later is missing before the last one.
  var shown: UInt64 {
    guard let earliest, let latest else { return duration }
    let last = latest.subtractingReportingOverflow(earliest)
    guard !last.overflow, last.partialValue >= 0, UInt64(last.partialValue) >= duration else { return duration }
    return UInt64(last.partialValue).addingReportingOverflow(UInt64(lastDuration)).partialValue
  }

  /// Makes the last sample last until the end of what is shown: an edit that ends earlier would hide it.
  mutating func coverShown() {
    let missing = shown - duration
    if missing > 0, let ticks = UInt32(exactly: UInt64(lastDuration) + missing) { lastLasts(ticks) }
  }

  /// Sets the duration of the last sample, in ticks.
  mutating func lastLasts(_ ticks: UInt32) {
    guard count > 0 else { return }
    let old = durations.removeLast()
    durations.append(ticks)
    duration = duration - UInt64(old) + UInt64(ticks)
  }

  /// Shortens the last sample, so that all samples are shown within so many ticks. Nothing happens if one of them is
  /// shown only then or later.
  mutating func shorten(to ticks: UInt64) {
    guard ticks < shown, ticks > durationBeforeLast, let earliest, let latest else { return }
    let last = latest.subtractingReportingOverflow(earliest)
    guard !last.overflow, last.partialValue < Int64(clamping: ticks),
      let rest = UInt32(exactly: ticks - durationBeforeLast)
    else { return }
    lastLasts(rest)
  }

  /// Shows all samples sooner by what each of them waits between its decoding and its presentation.
  ///
  /// - Parameter most: ticks; at least 0.
  /// - Returns: by how many ticks.
  mutating func removeCommonDelay(upTo most: Int64) -> Int64 {
    let delay = max(0, min(Int64(offsets.least ?? 0), most))
    offsets.subtract(Int32(clamping: delay))
    earliest = earliest.map { $0 &- delay }
    latest = latest.map { $0 &- delay }
    return delay
  }

  /// If samples are reordered, the one decoded last need not be the one shown last, and it lasts as long as the film
  /// goes on after its decoding. This moves its decoding as late as possible, so that it lasts no longer than the one
  /// shown last: players that show samples for their decoding durations then end with the film.
  mutating func settleLast() {
    guard count > 1, let earliest, let latest, let offset = offsets.last, let last = durations.last else { return }
    let decoded = Int64(clamping: duration) - Int64(last)
    let shown = latest.subtractingReportingOverflow(earliest), ends = decoded.addingReportingOverflow(Int64(offset))
    guard !shown.overflow, !ends.overflow else { return }
    let wanted = min(shown.partialValue, ends.partialValue)
    guard wanted > decoded, let shift = UInt32(exactly: wanted - decoded), shift < last else { return }
    _ = durations.removeLast()
    let before = durations.removeLast(), longer = before.addingReportingOverflow(shift)
    guard !longer.overflow else {
      durations.append(before)
      durations.append(last)
      return
    }
    durations.append(longer.partialValue)
    durations.append(last - shift)
    _ = offsets.removeLast()
    offsets.append(offset - Int32(shift))
  }
}
