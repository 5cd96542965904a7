extension MovieSalvage {
  /// File systems write pages of this size, or of a multiple: what they had no time for begins and ends with a page.
  private static let page: UInt64 = 4096
  /// A microphone hardly ever gives as many samples of zero in a row unless it is silent.
  private static let tellingSamples: UInt64 = 4

  /// The samples of a run that reached the disk, in pieces without gaps. A microphone that is silent gives zeros, too,
  /// but hardly ever from exactly the beginning of a page to the end of one. If it is silent beside such a page, nobody
  /// knows, and the samples stay.
  ///
  /// - Parameters:
  ///   - run: of which every byte lies in the file.
  ///   - besideZeros: whether frames of its fragment have become zeros: if it is nothing but zeros, too, it is lost.
  func sound<E: Error>(
    _ run: SampleRun, besideZeros: Bool, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> [SampleRun] {
    guard movie?.tracks[run.track].isPCM == true, let first = run.samples.first, let time = run.time,
      UInt32(exactly: run.end - run.start) != nil
    else { return [run] }
    if besideZeros, try areZeros(run.start..<run.end, read) { return [] }
    let frameSize = UInt64(first.size / first.duration), lost = try lostPages(of: run, frameSize, read)
    guard !lost.isEmpty else { return [run] }
    var pieces: [SampleRun] = [], next: UInt64 = 0
    // A sample of each channel lasts one tick.
    let count = (run.end - run.start) / frameSize
    for range in lost + [count..<count] {
      if range.lowerBound > next {
        let kept = UInt32(range.lowerBound - next), size = kept * UInt32(frameSize)
        pieces.append(
          SampleRun(
            track: run.track, start: run.start + next * frameSize,
            samples: [SampleRun.Sample(duration: kept, size: size, flags: first.flags, offset: 0)], time: time + next))
      }
      next = max(next, range.upperBound)
    }
    return pieces
  }

  /// Samples, counted from the run's first, of which bytes lie in pages that did not reach the disk.
  private func lostPages<E: Error>(
    of run: SampleRun, _ frameSize: UInt64, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> [Range<UInt64>] {
    let telling = MovieSalvage.tellingSamples * frameSize
    var lost: [Range<UInt64>] = [], place = run.start - run.start % MovieSalvage.page
    while place < run.end {
      let begin = place
      while place < run.end, try areZeros(place..<min(place + MovieSalvage.page, size), read) {
        place += MovieSalvage.page
      }
      guard place > begin else {
        place += MovieSalvage.page
        continue
      }
      // A page that begins before the run, or ends after it, is zeros in place of something else, too.
      var isLost = begin < run.start
      if begin > run.start {
        isLost = try !areZeros(max(run.start, begin - min(begin, telling))..<begin, read)
      }
      if isLost, place < run.end { isLost = try !areZeros(place..<min(place + telling, run.end), read) }
      guard isLost else { continue }
      let bytes = max(begin, run.start) - run.start..<min(place, run.end) - run.start
      lost.append(bytes.lowerBound / frameSize..<(bytes.upperBound + frameSize - 1) / frameSize)
    }
    return lost
  }

  private func areZeros<E: Error>(
    _ range: Range<UInt64>, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> Bool {
    // Most of what is not zeros says so at once.
    var place = range.lowerBound, most: UInt64 = 64
    while place < range.upperBound {
      let bytes = try read(place, Int(min(most, range.upperBound - place)))
      guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return false }
      place += UInt64(bytes.count)
      most = UInt64(MovieSalvage.block)
    }
    return true
  }
}
