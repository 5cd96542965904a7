extension MovieSalvage {
  /// A fragment holds the data of about a second. More than this is a damaged size.
  private static let largestData: UInt64 = 1 << 30
  /// Seconds that a fragment lasts at most: after a gap of three, times are later by no more than four times that.
  private static let longestFragment: UInt64 = 16
  /// Bytes that a fragment takes at least, headers only.
  private static let smallestFragment: UInt64 = 64
  /// Ticks by which a frame may last longer, so that its duration stays in 32 bits.
  private static let longestHole: UInt64 = 1 << 31

  /// Takes in a fragment whose header is complete and fits.
  ///
  /// - Returns: where its data ends, which may be beyond the file's end; `nil` if it is not a fragment.
  mutating func take<E: Error>(
    fragmentAt position: UInt64, _ length: UInt64, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> UInt64? {
    guard let movie, length >= 24, length <= MovieSalvage.largestFragment, length < size - position else { return nil }
    let data = position + length
    // The cheap checks come first, so that what only looks like a fragment costs little.
    guard let (second, _) = MovieSalvage.header(try read(position + 8, 16)), second == .sequence,
      let (type, claimed) = MovieSalvage.header(try read(data, 16)), type == .data, spend(length)
    else { return nil }
    let bytes = try read(position, Int(length))
    let end = data.addingReportingOverflow(claimed), most = size.addingReportingOverflow(MovieSalvage.largestData)
    guard bytes.count == Int(length), !most.overflow else { return nil }
    let limit = end.overflow ? size : max(size, min(end.partialValue, most.partialValue))
    guard var runs = try? movie.runs(of: bytes, at: position, limit: limit), let last = runs.map(\.end).max(),
      isContiguous || fits(runs, FragmentedMovie.sequence(of: bytes), lost: position - min(wholeEnd, position))
    else { return nil }
    for run in runs { try tryMark(on: run, read) }
    try settle(read)
    for index in runs.indices {
      let track = runs[index].track
      // If nothing is missing before it, it goes on where the last one ended, whatever a damaged number says.
      let time = isContiguous ? clock[track] : runs[index].time ?? clock[track]
      runs[index].time = time
      clock[track] = time + runs[index].duration
    }
    lastSequence = FragmentedMovie.sequence(of: bytes) ?? lastSequence
    pending = Fragment(runs: runs, isSuspect: !isContiguous || size - position <= MovieSalvage.lateBytes)
    isContiguous = true
    wholeEnd = min(last, size)
    claimedEnd = max(claimedEnd, last)
    return wholeEnd
  }

  /// Whether a fragment found after `lost` bytes of damage belongs there: the disk may hold pieces of older films.
  private func fits(_ runs: [SampleRun], _ sequence: UInt32?, lost: UInt64) -> Bool {
    guard let sequence, sequence > lastSequence else { return false }
    let missing = UInt64(sequence - lastSequence - 1)
    guard missing <= lost / MovieSalvage.smallestFragment, let movie else { return false }
    var clock = clock
    for run in runs {
      let track = movie.tracks[run.track], time = run.time ?? clock[run.track]
      guard time >= clock[run.track] else { return false }
      let gap = time - clock[run.track]
      let most = missing.multipliedReportingOverflow(by: UInt64(track.timescale) * MovieSalvage.longestFragment)
      guard !most.overflow, gap <= most.partialValue, gap <= MovieSalvage.longestHole else { return false }
      clock[run.track] = time + run.duration
    }
    return true
  }

  /// A track may store its frames in another way. Until a fragment begins with a frame that has its codec's mark, those
  /// without it are frames, too.
  private mutating func tryMark<E: Error>(
    on run: SampleRun, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) {
    guard !marked.contains(run.track), let sample = run.samples.first, sample.size > 0,
      let mark = movie?.tracks[run.track].mark, try mark.isOn(frameAt: run.start, sample.size, read)
    else { return }
    marked.insert(run.track)
  }

  // MARK: The samples that are there

  /// Adds as much of the last fragment as is there.
  mutating func settle<E: Error>(_ read: (UInt64, Int) throws(E) -> [UInt8]) throws(E) {
    guard let fragment = pending else { return }
    pending = nil
    var isKept = false, end = size, hasZeros = false
    for run in fragment.runs {
      var pieces = [run], silentEnd: UInt64?
      if fragment.isSuspect || run.end > size {
        if movie?.tracks[run.track].handler == .picture {
          pieces = try pictures(of: run, &hasZeros, read)
          let torn = run.samples.count - pieces.reduce(0) { $0 + $1.samples.count }
          tornPictures += torn
          // After a frame that has become zeros, zeros up to the file's end were not written either.
          if hasZeros { end = min(end, zeros) }
        } else {
          pieces = sound(of: run, upTo: end)
          if let whole = pieces.first {
            pieces = try sound(whole, besideZeros: hasZeros, read)
            silentEnd = whole.time.map { $0 + whole.duration }
          }
        }
      }
      for piece in pieces where !piece.samples.isEmpty {
        movie?.tracks[piece.track].add(piece, at: piece.time ?? 0)
        isKept = true
      }
      if let silentEnd { movie?.tracks[run.track].addSilence(upTo: silentEnd, like: run) }
    }
    if isKept { fragments += 1 }
  }

  /// The samples whose bytes are there, in pieces without gaps.
  ///
  /// - Parameter hasZeros: becomes true if there are zeros in place of a sample.
  private func pictures<E: Error>(
    of run: SampleRun, _ hasZeros: inout Bool, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> [SampleRun] {
    let mark = marked.contains(run.track) ? movie?.tracks[run.track].mark : nil
    var pieces: [SampleRun] = [], samples: [SampleRun.Sample] = []
    var offset = run.start, time = run.time ?? 0, begin = (offset: offset, time: time)
    for sample in run.samples {
      let next = offset + UInt64(sample.size)
      var isThere = next <= size
      if isThere, try isZero(at: offset, sample.size, read) { (isThere, hasZeros) = (false, true) }
      if isThere, let mark { isThere = try mark.isOn(frameAt: offset, sample.size, read) }
      if isThere {
        if samples.isEmpty { begin = (offset, time) }
        samples.append(sample)
      } else if !samples.isEmpty {
        pieces.append(SampleRun(track: run.track, start: begin.offset, samples: samples, time: begin.time))
        samples = []
      }
      offset = next
      time += UInt64(sample.duration)
    }
    if !samples.isEmpty {
      pieces.append(SampleRun(track: run.track, start: begin.offset, samples: samples, time: begin.time))
    }
    return pieces
  }

  /// No encoder begins a frame with a length of 0 or ends it with 64 zero bits: such bytes were never written.
  private func isZero<E: Error>(
    at offset: UInt64, _ size: UInt32, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> Bool {
    guard size >= 8 else { return false }
    if try read(offset, 4).allSatisfy({ $0 == 0 }) { return true }
    return try read(offset + UInt64(size) - 8, 8).allSatisfy { $0 == 0 }
  }

  /// Complete samples before `end`; for PCM, each is one of every channel.
  private func sound(of run: SampleRun, upTo end: UInt64) -> [SampleRun] {
    var samples: [SampleRun.Sample] = []
    var offset = run.start
    for sample in run.samples {
      let next = offset + UInt64(sample.size)
      guard next > end else {
        samples.append(sample)
        offset = next
        continue
      }
      if movie?.tracks[run.track].isPCM == true, offset < end, sample.duration > 0 {
        let frame = sample.size / sample.duration, count = UInt32(clamping: (end - offset) / UInt64(max(1, frame)))
        if count > 0 {
          samples.append(SampleRun.Sample(duration: count, size: count * frame, flags: sample.flags, offset: 0))
        }
      }
      break
    }
    return samples.isEmpty ? [] : [SampleRun(track: run.track, start: run.start, samples: samples, time: run.time)]
  }

  /// Where the zeros at the file's end begin; looks back no further than the last seconds.
  func beginOfZeros<E: Error>(_ read: (UInt64, Int) throws(E) -> [UInt8]) throws(E) -> UInt64 {
    var begin = size
    let lowest = size - min(size, MovieSalvage.lateBytes)
    while begin > lowest {
      let count = min(begin - lowest, UInt64(MovieSalvage.block))
      let bytes = try read(begin - count, Int(count))
      guard let last = bytes.lastIndex(where: { $0 != 0 }) else {
        begin -= count
        continue
      }
      return begin - count + UInt64(last) + 1
    }
    return begin
  }
}
