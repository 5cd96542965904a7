import MovieBoxes

/// A film's outermost atoms, its header, and its tracks.
struct FilmAtoms {
  struct Part {
    let type: BoxType
    let offset: UInt64
    /// Its size as stated, header included.
    let bytes: UInt64
  }

  let fileBytes: UInt64
  private(set) var first: Part?
  /// The last one, if the file ends in the middle of it.
  private(set) var cut: Part?
  /// Where there is something that is not an atom.
  private(set) var strange: UInt64?
  /// Number of atoms read, at most `mostParts`.
  private(set) var partCount = 0
  /// Where data lies, in rising order; adjacent ranges are one.
  private(set) var data: [Range<UInt64>] = []
  /// Fragments, and whether the last one has its data.
  private(set) var fragments = 0
  private(set) var isLastFragmentWhole = true
  /// `ftyp`: `qt  ` for QuickTime.
  private(set) var brand: BoxType?
  private(set) var header: Atom?
  /// A header that is too large to be one.
  private(set) var hugeHeader: Part?
  /// Ticks a second of the movie's own durations.
  private(set) var timescale: UInt32?
  private(set) var duration: UInt64?
  private(set) var matrix: [Int32]?
  private(set) var nextTrack: UInt32?
  private(set) var isInFragments = false
  private(set) var tracks: [TrackAtoms] = []
  /// Tracks that others refer to for anything but their timecode: chapters, depth.
  private(set) var referred: Set<UInt32> = []
  /// Metadata by camrec and others: by name from `keys`, by QuickTime's four letters from `udta`.
  private(set) var metadata: [String: String] = [:]
  /// Where the first chapter begins, in seconds, in a list such as camrec writes; `nil` without one.
  private(set) var firstChapter: Double?
  /// What could not be read.
  private(set) var findings: [FilmFinding] = []

  var isQuickTime: Bool { brand == nil || brand == BoxType("qt  ") }

  /// A week at 24 fps with reordered frames has an index of 170 MB.
  private static let largestHeader: UInt64 = 1 << 30
  /// A week with five fragments a second has six million.
  static let mostParts = 1 << 24
  private static let mostData = 1 << 20

  /// - Parameters:
  ///   - size: of the file, in bytes.
  ///   - mostSamples: of all tracks, of which the tables can say when each is shown.
  ///   - read: the file's bytes from an offset on, as many as there are up to a count.
  /// - Throws: what `read` throws.
  init<E: Error>(
    size: UInt64, mostSamples: UInt64, read: (_ offset: UInt64, _ count: Int) throws(E) -> [UInt8]
  ) throws(E) {
    fileBytes = size
    var position: UInt64 = 0
    while position < size, partCount < FilmAtoms.mostParts {
      let head = try read(position, 16)
      guard let (type, length) = FragmentScanner.header(head, rest: size - position) else {
        strange = position
        return
      }
      let part = Part(type: type, offset: position, bytes: length)
      partCount += 1
      if first == nil { first = part }
      guard length <= size - position else {
        // What cameras and programs append to a complete film only looks like an atom.
        if header != nil, !data.isEmpty, ![.data, .movie, .fragment].contains(type) {
          strange = position
        } else {
          cut = part
        }
        if type == .data { add(position..<size) }
        return
      }
      switch type {
      case .data:
        add(position..<position + length)
        isLastFragmentWhole = true
      case .fragment:
        fragments += 1
        isLastFragmentWhole = false
      case .movie where length > FilmAtoms.largestHeader: hugeHeader = part
      case .movie where header == nil: take(try read(position, Int(length)), at: position, mostSamples)
      case BoxType("ftyp"):
        var content = BoxReader(head[...], of: type)
        try? content.skip(8)
        brand = (try? content.u32()).map(BoxType.init(code:))
      default: break
      }
      position += length
    }
  }

  /// Adds data, header included. Hostile files have millions of ranges: beyond `mostData`, the last one grows instead.
  private mutating func add(_ range: Range<UInt64>) {
    if let last = data.last, last.upperBound == range.lowerBound || data.count >= FilmAtoms.mostData {
      data[data.count - 1] = last.lowerBound..<range.upperBound
    } else {
      data.append(range)
    }
  }

  /// Whether bytes of the file are data.
  func isData(_ range: Range<UInt64>) -> Bool {
    var low = 0
    var high = data.count
    while low < high {
      let middle = (low + high) / 2
      if data[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < data.count && data[low].lowerBound < range.lowerBound && range.upperBound <= data[low].upperBound
  }

  private mutating func take(_ bytes: [UInt8], at offset: UInt64, _ mostSamples: UInt64) {
    var reader = BoxReader(bytes[...], of: .movie)
    guard let box = try? reader.box() else { return }
    let movie = Atom(type: .movie, path: "moov", offset: offset, content: box.reader)
    header = movie
    var opener = AtomOpener(base: offset)
    var told = AtomOpener(base: offset, severity: .note)
    var samplesLeft = mostSamples
    for atom in opener.children(of: movie) {
      switch atom.type {
      case .movieHeader: readHeader(atom, &opener)
      case .movieExtends: isInFragments = true
      case .track: tracks.append(TrackAtoms(atom, number: tracks.count + 1, samplesLeft: &samplesLeft, &opener))
      case BoxType("udta"): readUserData(atom, &told)
      case BoxType("meta"): readMetadata(atom, &told)
      default: break
      }
    }
    findings += opener.findings + told.findings
    for track in tracks {
      for (kind, others) in track.references where kind != .timecode { referred.formUnion(others) }
    }
  }

  private mutating func readHeader(_ atom: Atom, _ opener: inout AtomOpener) {
    let fields = opener.read(atom) { (reader) throws(BoxDamage) in
      let version = try reader.versionAndFlags().version
      try reader.skip(version == 1 ? 16 : 8)
      let scale = try reader.u32()
      let duration = version == 1 ? try reader.u64() : UInt64(try reader.u32())
      // Rate and volume.
      try reader.skip(16)
      var matrix: [Int32] = []
      for _ in 0..<9 { matrix.append(try reader.i32()) }
      try reader.skip(24)
      return (scale, duration, matrix, try reader.u32())
    }
    if let fields { (timescale, duration, matrix, nextTrack) = fields }
  }

  // MARK: Metadata

  /// QuickTime's texts: a length, a language, the letters (QuickTime File Format, "User Data Text Strings").
  private mutating func readUserData(_ atom: Atom, _ opener: inout AtomOpener) {
    for entry in opener.children(of: atom) {
      if entry.type == BoxType("meta") { readMetadata(entry, &opener) }
      if entry.type == .chapterList { readChapters(entry, &opener) }
      guard entry.type.code >> 24 == 0xA9 else { continue }
      let text = opener.read(entry) { (reader) throws(BoxDamage) in
        let length = Int(try reader.u16())
        try reader.skip(2)
        return String(decoding: reader.remaining.prefix(length), as: UTF8.self)
      }
      // The first letter is ©.
      let letters = (0..<3).map { UInt8(truncatingIfNeeded: entry.type.code >> (16 - 8 * UInt32($0))) }
      metadata["©" + String(decoding: letters, as: Unicode.ASCII.self)] = text
    }
  }

  /// The list has a number of chapters, and then their times, in order, in units of 100 ns.
  private mutating func readChapters(_ atom: Atom, _ opener: inout AtomOpener) {
    firstChapter = opener.read(atom) { (reader) throws(BoxDamage) -> Double? in
      if try reader.versionAndFlags().version == 1 { try reader.skip(4) }
      return try reader.u8() > 0 ? Double(try reader.u64()) * 1e-7 : nil
    } ?? nil
  }

  /// `keys` and `ilst` (QuickTime File Format, "Metadata"); in ISO's films the atom is a full box.
  private mutating func readMetadata(_ atom: Atom, _ opener: inout AtomOpener) {
    var ahead = atom.content
    let isFull = (try? ahead.u32()) == 0
    let children = opener.children(of: atom, behind: isFull ? 4 : 0)
    let names = opener.read(children.first { $0.type == BoxType("keys") }) { (reader) throws(BoxDamage) in
      _ = try reader.versionAndFlags()
      var names: [String] = []
      for _ in 0..<(try reader.u32()) {
        let size = try reader.u32()
        guard size >= 8 else { throw reader.damage("has a name of \(size) bytes") }
        try reader.skip(4)
        let text = reader.remaining.prefix(Int(size) - 8)
        try reader.skip(Int(size) - 8)
        names.append(String(decoding: text, as: UTF8.self))
      }
      return names
    }
    guard let names, let list = children.first(where: { $0.type == BoxType("ilst") }) else { return }
    for item in opener.children(of: list) {
      let index = Int(item.type.code) - 1
      guard names.indices.contains(index) else { continue }
      for value in opener.children(of: item) where value.type == BoxType("data") {
        metadata[names[index]] = opener.read(value) { (reader) throws(BoxDamage) in
          // Kind and place: 1 is UTF-8.
          let kind = try reader.u32()
          try reader.skip(4)
          return kind == 1 ? String(decoding: reader.remaining, as: UTF8.self) : "(\(reader.remaining.count) bytes)"
        }
      }
    }
  }
}
