/// The header of an ordinary movie, with an index of every sample, made from one in fragments.
///
/// Everything in the fragmented header stays as it is, except its durations and tables, and what says that there are
/// fragments (QuickTime File Format, "Movie Atoms"; ISO/IEC 14496-12, 8.2 to 8.7).
struct MovieIndexBox {
  private let movie: FragmentedMovie
  /// Ticks a second of the movie's own durations.
  private let timescale: UInt32
  private let silence: UInt64
  private let chapters: [MovieChapter]

  /// - Parameter silence: where zeros lie in the file, for lost audio.
  init(_ movie: FragmentedMovie, silence: UInt64 = 0, chapters: [MovieChapter] = []) throws(BoxDamage) {
    self.silence = silence
    self.chapters = chapters
    self.movie = movie
    var outer = BoxReader(movie.header[...], of: .movie)
    var inner = try outer.box()?.reader
    var found: UInt32?
    for box in try inner?.boxes() ?? [] where box.type == .movieHeader {
      var reader = box.reader
      try reader.skip(try reader.versionAndFlags().version == 1 ? 16 : 8)
      found = try reader.u32()
    }
    guard let found, found > 0 else { throw BoxDamage(.movie, at: 0, "lacks a time scale") }
    timescale = found
  }

  /// The whole box. Tracks without samples are left out.
  func bytes() throws(BoxDamage) -> [UInt8] {
    var outer = BoxReader(movie.header[...], of: .movie)
    guard let box = try outer.box() else { throw BoxDamage(.movie, at: 0, "is missing") }
    var reader = box.reader
    let boxes = try reader.boxes()
    var tracks: [(bytes: [UInt8], duration: UInt64)] = []
    let picture = movie.tracks.first { $0.handler == .picture } ?? movie.tracks.first { $0.handler != .timecode }
    let pictures = picture.map { (ticks: $0.shownEnd, scale: $0.timescale) }
    for track in movie.tracks where track.samples.count > 0 {
      tracks.append(try TrackBox(track, timescale, pictures: pictures, silence: silence).bytes())
    }
    var out = BoxBytes()
    try out.box(.movie) { (out) throws(BoxDamage) in
      var hasTracks = false
      var list = chapters.isEmpty ? [] : MovieChapter.list(chapters)
      for box in boxes {
        switch box.type {
        case .movieHeader:
          out.put(try header(box, duration: tracks.map(\.duration).max() ?? 0))
        case .track:
          if !hasTracks { for track in tracks { out.put(track.bytes) } }
          hasTracks = true
        case .movieExtends: break
        case .userData where !list.isEmpty:
          out.box(.userData) { out in
            out.put(box.whole.dropFirst(8))
            out.put(list)
          }
          list = []
        default: out.put(box.whole)
        }
      }
      if !list.isEmpty { out.box(.userData) { $0.put(list) } }
    }
    return out.bytes
  }

  /// The movie's header. The number of the next track is its last field; libavformat counts tracks with samples, and
  /// before the first fragment there are none (14496-12, 8.2.2).
  private func header(_ box: BoxReader.Box, duration: UInt64) throws(BoxDamage) -> [UInt8] {
    let bytes = try HeaderBox.with(duration: duration, box, timesBefore: 1)
    guard let last = movie.tracks.map(\.identifier).max(), last < .max else { return bytes }
    var next = BoxBytes()
    next.put(last + 1)
    return bytes.dropLast(4) + next.bytes
  }
}

/// `mvhd`, `tkhd` and `mdhd` differ in what stands between their times and their duration.
enum HeaderBox {
  /// The same header with another duration; of version 1 if 32 bits cannot hold it.
  ///
  /// - Parameter timesBefore: how many 32-bit numbers lie between the two dates and the duration.
  static func with(duration: UInt64, _ box: BoxReader.Box, timesBefore: Int) throws(BoxDamage) -> [UInt8] {
    var reader = box.reader
    let (version, flags) = try reader.versionAndFlags()
    let created = version == 1 ? try reader.u64() : UInt64(try reader.u32())
    let modified = version == 1 ? try reader.u64() : UInt64(try reader.u32())
    var between: [UInt32] = []
    for _ in 0..<timesBefore { between.append(try reader.u32()) }
    try reader.skip(version == 1 ? 8 : 4)
    let rest = reader.remaining
    let isLong = max(duration, created, modified) > UInt64(UInt32.max)
    var out = BoxBytes()
    out.fullBox(box.type, version: isLong ? 1 : 0, flags: flags) { out in
      for date in [created, modified] { isLong ? out.put(date) : out.put(UInt32(date)) }
      for number in between { out.put(number) }
      isLong ? out.put(duration) : out.put(UInt32(duration))
      out.put(rest)
    }
    return out.bytes
  }
}
