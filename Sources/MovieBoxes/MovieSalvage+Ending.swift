extension MovieSalvage {
  /// What turns the file, or a copy of it, into an ordinary movie: an index after everything that is there, and then a
  /// box in the header's place that makes everything before the index one piece of data. Nothing else is overwritten:
  /// what was torn, or lies in a gap, stays in that piece, and nothing points at it.
  public struct Ending: Sendable {
    /// Where the appendix begins: at the file's end, or after it if the last fragment is torn; what is in between reads
    /// as zeros.
    public let offset: UInt64
    /// Append this: zeros for lost audio, and the index.
    public let appendix: [UInt8]
    /// Write this over the beginning of the old header, at `headerOffset`, once the appendix is safe.
    public let cover: [UInt8]
  }

  /// - Parameter timecode: the label of the first frame, counted in frames, for a film whose own label is lost with its
  ///   first fragment.
  /// - Throws: if there is nothing to index, or if an index cannot hold it.
  public func ending(timecode: UInt32? = nil) throws(BoxDamage) -> Ending {
    guard var movie, movie.tracks.contains(where: { $0.handler != .timecode && $0.samples.count > 0 }) else {
      throw BoxDamage(.movie, at: Int(clamping: headerOffset), "has no samples")
    }
    let offset = max(size, claimedEnd)
    var appendix: [UInt8] = []
    for track in movie.tracks where track.samples.longestSilence > 0 {
      let bytes = UInt64(track.samples.longestSilence) * UInt64(track.samples.commonSize ?? 0)
      guard bytes <= MovieSalvage.mostSilence else {
        throw BoxDamage(.movie, at: Int(clamping: headerOffset), "has audio of too many bytes a second")
      }
      appendix += Array(repeating: 0, count: Int(bytes) - min(appendix.count, Int(bytes)))
    }
    let silence = offset
    if let timecode, let index = movie.tracks.firstIndex(where: { $0.handler == .timecode && $0.samples.count == 0 }) {
      let place = offset + UInt64(appendix.count)
      appendix += (0..<4).map { UInt8(truncatingIfNeeded: timecode >> (24 - 8 * UInt32($0))) }
      movie.tracks[index].samples.beginChunk(at: place)
      movie.tracks[index].samples.add(size: 4, duration: 1, offset: 0, isSync: true)
    }
    let index = offset + UInt64(appendix.count)
    var cover = BoxBytes()
    // A size of 64 bits takes 16 bytes, which the header has.
    cover.put(UInt32(1))
    cover.put(BoxType.data.code)
    cover.put(index - headerOffset)
    return Ending(
      offset: offset, appendix: appendix + (try MovieIndexBox(movie, silence: silence).bytes()), cover: cover.bytes)
  }

  /// Bytes of a second of audio: 64 channels of 32 bits at 192 kHz, and some more.
  private static let mostSilence: UInt64 = 1 << 26

  /// Shows the last frame until `time` at most, in ticks of `presentationTimes`. It would stay until the next frame
  /// that the encoder was to deliver, which may be later than the end of the recording. A frame that is shown only
  /// then or later keeps its time.
  public mutating func shorten(to time: Int64) {
    guard time > 0, let index = movie?.tracks.firstIndex(where: { $0.handler == .picture }) else { return }
    movie?.tracks[index].shorten(to: UInt64(time))
  }

  // MARK: What was found

  /// Frames in the film.
  public var pictures: UInt64 { pictureTrack?.samples.count ?? 0 }
  /// Samples of each channel, including silence for lost ones.
  public var soundSamples: UInt64? { soundTrack?.samples.count }
  /// How many of them are silence.
  public var silentSamples: UInt64 {
    soundTrack?.samples.chunks.reduce(0) { $1.offset == SampleTable.silence ? $0 + UInt64($1.count) : $0 } ?? 0
  }
  /// Where they lie, counted from the first sample.
  public var silence: [Range<UInt64>] {
    var ranges: [Range<UInt64>] = [], place: UInt64 = 0
    for chunk in soundTrack?.samples.chunks ?? [] {
      let end = place + UInt64(chunk.count)
      if chunk.offset == SampleTable.silence {
        if let last = ranges.last, last.upperBound == place {
          ranges[ranges.count - 1] = last.lowerBound..<end
        } else {
          ranges.append(place..<end)
        }
      }
      place = end
    }
    return ranges
  }
  /// Seconds of film, by its frames.
  public var seconds: Double { pictureTrack.map { Double($0.shownEnd) / Double($0.timescale) } ?? 0 }
  /// Whether a timecode track is announced and its label is lost.
  public var lacksTimecode: Bool {
    movie?.tracks.contains { $0.handler == .timecode && $0.samples.count == 0 } ?? false
  }
  /// Ticks a second of `presentationTimes`.
  public var timescale: UInt32 { pictureTrack?.timescale ?? 1 }

  private var pictureTrack: FragmentedTrack? { movie?.tracks.first { $0.handler == .picture } }
  private var soundTrack: FragmentedTrack? { movie?.tracks.first { $0.handler == .sound } }

  /// How far apart a frame's places in storage and in presentation may be: no encoder moves a frame further than this.
  private static let furthest = 64

  /// Calls `body` with the time of each frame in ticks from the film's beginning, rising.
  public func presentationTimes(_ body: (Int64) -> Void) {
    guard let track = pictureTrack else { return }
    var durations = track.samples.durations.runs[...], offsets = track.samples.offsets.runs[...]
    var window: [Int64] = [], decoded = Int64(clamping: track.delay) &- track.mediaTime
    for _ in 0..<track.samples.count {
      guard let duration = durations.first, let offset = offsets.first else { break }
      // A damaged edit may say anything.
      window.append(decoded &+ Int64(offset.value))
      decoded &+= Int64(duration.value)
      MovieSalvage.takeOne(&durations)
      MovieSalvage.takeOne(&offsets)
      guard window.count >= 2 * MovieSalvage.furthest else { continue }
      window.sort()
      window.prefix(MovieSalvage.furthest).forEach(body)
      window.removeFirst(MovieSalvage.furthest)
    }
    window.sorted().forEach(body)
  }

  private static func takeOne<Value>(_ runs: inout ArraySlice<(count: UInt32, value: Value)>) {
    guard let first = runs.first else { return }
    if first.count > 1 { runs[runs.startIndex].count -= 1 } else { runs = runs.dropFirst() }
  }
}

extension FragmentedTrack {
  /// The time in the media that is shown first, in ticks: how far decoding runs ahead.
  var mediaTime: Int64 {
    var outer = BoxReader(header[...], of: .track)
    guard var reader = try? outer.box()?.reader, let boxes = try? reader.boxes(),
      var edits = boxes.first(where: { $0.type == .edits })?.reader,
      let list = try? edits.boxes().first(where: { $0.type == .editList })
    else { return 0 }
    var fields = list.reader
    guard let version = try? fields.versionAndFlags().version, let count = try? fields.u32() else { return 0 }
    for _ in 0..<count {
      guard (try? version == 1 ? fields.skip(8) : fields.skip(4)) != nil,
        let time = try? version == 1 ? Int64(bitPattern: fields.u64()) : Int64(fields.i32()),
        (try? fields.u32()) != nil
      else { return 0 }
      if time >= 0 { return time }
    }
    return 0
  }
}
