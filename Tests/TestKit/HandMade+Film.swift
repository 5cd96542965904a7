/// QuickTime films of half a second, as camrec writes them, whose frames no decoder understands.
extension HandMade {
  /// A track of such a film; all of its samples last equally long.
  public struct Track: Sendable {
    public var number: Int
    /// `vide`, `soun`, `tmcd`.
    public var handler: String
    /// Ticks a second.
    public var timescale: Int
    /// Ticks that a sample lasts.
    public var ticks: Int
    public var samples: [[UInt8]]
    /// How they are stored.
    public var description: Box
    /// Shown, in pixels.
    public var size = (width: 0, height: 0)

    /// Frames of 64×48 pixels, of 16 to 20 bytes each.
    public static func pictures(_ count: Int = 12, timescale: Int = 24000, ticks: Int = 1000) -> Track {
      let fields = join(
        big(1, 8), big(0, 16), big(64, 2), big(48, 2), big(72 << 16, 4), big(72 << 16, 4), big(0, 4), big(1, 2),
        big(0, 32), big(24, 2), big(0xFFFF, 2))
      let color = Box("colr", join(Array("nclc".utf8), big(1, 2), big(1, 2), big(1, 2)))
      let samples = (0..<count).map { number in
        (0..<16 + number % 5).map { UInt8(truncatingIfNeeded: 31 * number + 7 * $0) | 1 }
      }
      return Track(
        number: 1, handler: "vide", timescale: timescale, ticks: ticks, samples: samples,
        description: Box("hvc1", fields, [Box("hvcC", [1]), color]), size: (64, 48))
    }

    /// One channel of PCM: 16 bits, 8000 samples a second.
    public static func sound(_ count: Int = 4000) -> Track {
      let fields = join(big(1, 8), big(0, 8), big(1, 2), big(16, 2), big(0, 4), big(8000 << 16, 4))
      return Track(
        number: 2, handler: "soun", timescale: 8000, ticks: 1,
        samples: (0..<count).map { [UInt8(truncatingIfNeeded: $0) | 1, 3] }, description: Box("sowt", fields))
    }

    /// Labels for as many frames, at 24 frames a second.
    ///
    /// - Parameter first: the first label's frame since midnight.
    public static func timecode(first: Int = 24 * 3600, frames: Int = 12) -> Track {
      let fields = join(big(1, 8), big(0, 4), big(0, 4), big(24000, 4), big(1000, 4), [24, 0])
      return Track(
        number: 3, handler: "tmcd", timescale: 24000, ticks: 1000 * frames, samples: [big(first, 4)],
        description: Box("tmcd", fields))
    }

    /// In the movie's 1000 ticks a second.
    fileprivate var movieTicks: Int { samples.count * ticks * 1000 / timescale }

    /// - Parameters:
    ///   - offset: where its samples lie, one after another; `nil`: they lie in fragments.
    ///   - timecode: the number of the track that has its timecode.
    fileprivate func box(at offset: Int?, timecode: Int?) -> Box {
      let count = offset == nil ? 0 : samples.count
      let header = Box.full(
        "tkhd", flags: 7,
        join(
          big(0, 8), big(number, 4), big(0, 4), big(offset == nil ? 0 : movieTicks, 4), big(0, 16), upright,
          big(size.width << 16, 4), big(size.height << 16, 4)))
      let references = handler == "vide" ? timecode.map { Box("tref", [], [Box("tmcd", big($0, 4))]) } : nil
      let sizes = Set(samples.map(\.count)), common = sizes.count == 1 ? samples[0].count : 0
      func table(_ entries: Int...) -> [UInt8] {
        count == 0 ? big(0, 4) : join(big(1, 4), entries.flatMap { big($0, 4) })
      }
      let own = common == 0 ? samples.prefix(count).flatMap { big($0.count, 4) } : []
      var tables = [
        Box.full("stsd", big(1, 4), [description]), Box.full("stts", table(count, ticks)),
        Box.full("stsc", table(1, count, 1)), Box.full("stco", table(offset ?? 0)),
        Box.full("stsz", join(big(common, 4), big(count, 4), own)),
      ]
      if handler == "vide", count > 0 { tables.append(Box.full("stss", table(1))) }
      let media = [
        Box.full("mdhd", join(big(0, 8), big(timescale, 4), big(count * ticks, 4), big(0, 4))),
        Box.full("hdlr", join(Array("mhlr".utf8), Array(handler.utf8), big(0, 13))),
        Box("minf", [], [Box("stbl", [], tables)]),
      ]
      return Box("trak", [], [header] + (references.map { [$0] } ?? []) + [Box("mdia", [], media)])
    }

    /// A fragment's part of it: PCM in one packet.
    ///
    /// - Parameter offset: where the samples lie, from the fragment's beginning on.
    fileprivate func fragment(_ range: Range<Int>, at offset: Int) -> Box {
      let run: Box
      if handler == "soun" {
        let bytes = samples[range].reduce(0) { $0 + $1.count }
        run = Box.full(
          "trun", flags: 0x301, join(big(1, 4), big(offset, 4), big(range.count * ticks, 4), big(bytes, 4)))
      } else {
        // Only the first can be decoded alone.
        let entries = range.flatMap { number in
          join(big(samples[number].count, 4), big(number == range.lowerBound ? 0 : 0x1_0000, 4))
        }
        run = Box.full("trun", flags: 0x601, join(big(range.count, 4), big(offset, 4), entries))
      }
      return Box(
        "traf", [],
        [
          Box.full("tfhd", flags: 0x2_0000, big(number, 4)),
          Box.full("tfdt", version: 1, big(range.lowerBound * ticks, 8)), run,
        ])
    }

    /// A label is in the first fragment.
    fileprivate func range(ofPart part: Int, of parts: Int) -> Range<Int> {
      handler == "tmcd"
        ? 0..<(part == 0 ? samples.count : 0) : samples.count * part / parts..<samples.count * (part + 1) / parts
    }
  }

  public static let tracks = [Track.pictures(), .sound(), .timecode()]

  /// An ordinary film: `ftyp`, `mdat`, `moov`.
  ///
  /// - Parameter software: what its metadata say has made it.
  public static func film(_ tracks: [Track] = HandMade.tracks, software: String = "camrec 1.0") -> Box {
    var data: [UInt8] = [], boxes: [Box] = []
    for track in tracks {
      boxes.append(track.box(at: kind.bytes.count + 8 + data.count, timecode: timecode(of: tracks)))
      data += track.samples.joined()
    }
    let header = movieHeader(tracks, duration: tracks.map(\.movieTicks).max() ?? 0)
    return Box("", [], [kind, Box("mdat", data), Box("moov", [], [header] + boxes + [metadata(software)])])
  }

  /// The same film in fragments: `ftyp`, `moov`, and a `moof` and an `mdat` for each part.
  ///
  /// - Parameter parts: a divisor of the number of samples.
  public static func fragments(
    _ tracks: [Track] = HandMade.tracks, parts: Int, software: String = "camrec 1.0"
  ) -> Box {
    let extends = tracks.map {
      Box.full("trex", join(big($0.number, 4), big(1, 4), big($0.ticks, 4), big(0, 8)))
    }
    let empty = tracks.map { $0.box(at: nil, timecode: timecode(of: tracks)) }
    let movie =
      [movieHeader(tracks, duration: 0)] + empty + [Box("mvex", [], extends), metadata(software)]
    var boxes = [kind, Box("moov", [], movie)]
    for part in 0..<parts {
      let ranges = tracks.map { $0.range(ofPart: part, of: parts) }
      func fragment(at begin: Int) -> Box {
        var place = begin, inner = [Box.full("mfhd", big(part + 1, 4))]
        for (track, range) in zip(tracks, ranges) where !range.isEmpty {
          inner.append(track.fragment(range, at: place))
          place += track.samples[range].reduce(0) { $0 + $1.count }
        }
        return Box("moof", [], inner)
      }
      let data = zip(tracks, ranges).flatMap { $0.samples[$1].joined() }
      boxes += [fragment(at: fragment(at: 0).bytes.count + 8), Box("mdat", data)]
    }
    return Box("", [], boxes)
  }

  private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

  private static let kind = Box("ftyp", join(Array("qt  ".utf8), big(512, 4), Array("qt  ".utf8)))

  /// A matrix that neither turns nor moves.
  private static let upright = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].flatMap { big($0, 4) }

  private static func timecode(of tracks: [Track]) -> Int? { tracks.first { $0.handler == "tmcd" }?.number }

  private static func movieHeader(_ tracks: [Track], duration: Int) -> Box {
    let next = (tracks.map(\.number).max() ?? 0) + 1
    return Box.full(
      "mvhd",
      join(
        big(0, 8), big(1000, 4), big(duration, 4), big(1 << 16, 4), big(0x100, 2), big(0, 10), upright, big(0, 24),
        big(next, 4)))
  }

  /// What made the film, as a text by its name.
  private static func metadata(_ software: String) -> Box {
    let name = Array("software".utf8)
    let value = Box("data", join(big(1, 4), big(0, 4), Array(software.utf8)))
    return Box(
      "meta", [],
      [
        Box.full("hdlr", join(big(0, 4), Array("mdta".utf8), big(0, 13))),
        Box.full("keys", join(big(1, 4), big(name.count + 8, 4), Array("mdta".utf8), name)),
        // The first name's value.
        Box("ilst", [], [Box("\0\0\0\u{1}", [], [value])]),
      ])
  }
}
