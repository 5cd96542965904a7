/// A track's samples: how long each lasts, how large it is and where it lies. Grows by each fragment that is added;
/// about 12 bytes for a picture, 12 for a fragment's PCM.
struct SampleTable: Sendable {
  /// In ticks of the track.
  private(set) var durations = SampleRuns<UInt32>()
  /// From decoding to presentation.
  private(set) var offsets = SampleRuns<Int32>()
  private(set) var sizes: [UInt32] = []
  /// All samples have it, and `sizes` is empty; `nil` without samples.
  private(set) var commonSize: UInt32?
  /// Numbers, from 1, of those that can be decoded alone; of PCM, where all can, there is no list.
  private(set) var syncs: [UInt32] = []
  private(set) var chunks: [(offset: UInt64, count: UInt32)] = []
  private(set) var count: UInt64 = 0
  /// Every one can be decoded alone.
  private(set) var areAllSync = true
  /// Presentation times of the samples shown first and last, in ticks from the first one's decoding.
  private(set) var earliest: Int64?
  private(set) var latest: Int64?
  /// Of all, in ticks.
  private(set) var duration: UInt64 = 0

  /// Of the table in an index: what each sample, run and chunk takes in stts, ctts, stsz, stss, stsc and co64 (ISO/IEC
  /// 14496-12, 8.6 and 8.7), and 256 bytes for their heads.
  var indexBytes: Int64 {
    let runs = 8 * (durations.runs.count + offsets.runs.count), chunked = 20 * chunks.count
    return Int64(256 + runs + chunked + 4 * (sizes.count + syncs.count))
  }

  /// A new chunk begins.
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

  /// Where silence lies is known when the file's end is: the offset of its chunks until then.
  static let silence = UInt64.max

  /// `count` samples of sound that was lost. However many, their bytes lie in the file once: `atOnce` of them at most.
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

  /// Of all but the last, in ticks.
  var durationBeforeLast: UInt64 { duration - UInt64(durations.last ?? 0) }

  /// Of the last sample, in ticks.
  var lastDuration: UInt32 { durations.last ?? 0 }

  /// Of all as they are shown, in ticks. Samples that are cut off in the middle of a reordered group are shown beyond
  /// the end of their decoding: one that was decoded later is missing in front of the last one.
  var shown: UInt64 {
    guard let earliest, let latest else { return duration }
    let last = latest.subtractingReportingOverflow(earliest)
    guard !last.overflow, last.partialValue >= 0, UInt64(last.partialValue) >= duration else { return duration }
    return UInt64(last.partialValue).addingReportingOverflow(UInt64(lastDuration)).partialValue
  }

  /// Has the last sample last until the end of what is shown: an edit that ends before hides it.
  mutating func coverShown() {
    let missing = shown - duration
    if missing > 0, let ticks = UInt32(exactly: UInt64(lastDuration) + missing) { lastLasts(ticks) }
  }

  /// Has the last sample last longer or shorter.
  mutating func lastLasts(_ ticks: UInt32) {
    guard count > 0 else { return }
    let old = durations.removeLast()
    durations.append(ticks)
    duration = duration - UInt64(old) + UInt64(ticks)
  }

  /// Where samples are reordered, the one that is decoded last need not be shown last, and lasts as long as the film
  /// goes on behind its decoding. It is decoded as late as it may be, so that it lasts no longer than the one shown
  /// last: players that show samples for their decoding durations then end with the film.
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
