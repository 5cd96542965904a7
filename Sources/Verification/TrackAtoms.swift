import Frames
import MovieBoxes

/// The contents of a track's atoms, as far as they exist and are intact (QuickTime File Format, "Track Atoms"; ISO/IEC
/// 14496-12).
///
/// Tables are kept as runs, as they are in the file: a week of sound is one entry.
struct TrackAtoms {
  struct Edit {
    /// In the movie's ticks.
    var duration: UInt64
    /// In the track's ticks; −1 for one that shows nothing.
    var time: Int64
    /// 16.16 fixed point.
    var rate: UInt32

    var isEmpty: Bool { time == -1 }
  }

  let atom: Atom
  /// From 1, in the file's order.
  let number: Int
  private(set) var identifier: UInt32?
  private(set) var isEnabled = false
  /// Players show one track of a group, by language or the like; 0 for no group.
  private(set) var group: UInt16 = 0
  /// In the movie's ticks.
  private(set) var duration: UInt64?
  /// Rows a b u, c d v, x y w: 16.16, the last column 2.30 fixed point.
  private(set) var matrix: [Int32]?
  /// The size shown, in pixels of 16.16 fixed point.
  private(set) var shownSize: (width: UInt32, height: UInt32)?
  private(set) var edits: [Edit] = []
  /// Tracks by the kind of reference: `tmcd`.
  private(set) var references: [BoxType: [UInt32]] = [:]
  /// Ticks a second.
  private(set) var timescale: UInt32?
  /// In its ticks.
  private(set) var mediaDuration: UInt64?
  private(set) var handler: BoxType?
  private(set) var descriptions: [SampleDescription] = []
  private(set) var durations: [(count: UInt32, ticks: UInt32)] = []
  private(set) var offsets: [(count: UInt32, ticks: Int32)] = []
  /// Numbers of key frames, from 1; `nil` if every sample can be decoded alone.
  private(set) var syncs: [UInt32]?
  private(set) var sampleCount: UInt32 = 0
  /// Of every sample, in bytes; 0 if each has its own.
  private(set) var commonSize: UInt32 = 0
  private(set) var sizes: [UInt32] = []
  private(set) var chunkRuns: [(first: UInt32, samples: UInt32, description: UInt32)] = []
  private(set) var chunks: [UInt64] = []
  /// Its samples lie in another file.
  private(set) var isElsewhere = false
  /// `nil` for a track without samples.
  private(set) var times: TrackTimes?
  /// The tables and headers, by their type.
  private(set) var atoms: [BoxType: Atom] = [:]

  /// - Parameter samplesLeft: as of `TrackTimes`.
  init(_ atom: Atom, number: Int, samplesLeft: inout UInt64, _ opener: inout AtomOpener) {
    self.atom = atom
    self.number = number
    collect(atom, &opener)
    readHeaders(&opener)
    readMedia(&opener)
    readTables(&opener)
    times = TrackTimes(self, samplesLeft: &samplesLeft)
  }

  private static let containers: Set<BoxType> = [.edits, .media, .information, .samples, BoxType("dinf")]

  /// Keeps the first of each kind.
  private mutating func collect(_ parent: Atom, _ opener: inout AtomOpener) {
    // The outer ones first: a handler of data has the name of the media's own.
    let fresh = opener.children(of: parent).filter { atoms[$0.type] == nil }
    for child in fresh where atoms[child.type] == nil { atoms[child.type] = child }
    // No container is opened twice: none is deeper than these are.
    for child in fresh where TrackAtoms.containers.contains(child.type) && atoms[child.type]?.offset == child.offset {
      collect(child, &opener)
    }
  }

  private mutating func readHeaders(_ opener: inout AtomOpener) {
    let header = opener.read(atoms[.trackHeader]) { (reader) throws(BoxDamage) in
      let (version, flags) = try reader.versionAndFlags()
      try reader.skip(version == 1 ? 16 : 8)
      let identifier = try reader.u32()
      try reader.skip(4)
      let duration = version == 1 ? try reader.u64() : UInt64(try reader.u32())
      // Reserved, and the layer.
      try reader.skip(10)
      let group = try reader.u16()
      // Volume.
      try reader.skip(4)
      var matrix: [Int32] = []
      for _ in 0..<9 { matrix.append(try reader.i32()) }
      return (flags, identifier, duration, group, matrix, (try reader.u32(), try reader.u32()))
    }
    if let (flags, identifier, duration, group, matrix, size) = header {
      isEnabled = flags & 1 != 0
      (self.identifier, self.duration, self.group, self.matrix, shownSize) = (identifier, duration, group, matrix, size)
    }
    edits =
      opener.read(atoms[.editList]) { (reader) throws(BoxDamage) in
        let version = try reader.versionAndFlags().version
        return try TrackAtoms.entries(&reader, bytes: version == 1 ? 20 : 12) { (reader) throws(BoxDamage) in
          Edit(
            duration: version == 1 ? try reader.u64() : UInt64(try reader.u32()),
            time: version == 1 ? Int64(bitPattern: try reader.u64()) : Int64(try reader.i32()), rate: try reader.u32())
        }
      } ?? []
    guard let list = atoms[BoxType("tref")] else { return }
    for kind in opener.children(of: list) {
      references[kind.type] = opener.read(kind) { (reader) throws(BoxDamage) in
        var tracks: [UInt32] = []
        while !reader.isAtEnd, tracks.count < 1024 { tracks.append(try reader.u32()) }
        return tracks
      }
    }
  }

  private mutating func readMedia(_ opener: inout AtomOpener) {
    let header = opener.read(atoms[.mediaHeader]) { (reader) throws(BoxDamage) in
      let version = try reader.versionAndFlags().version
      try reader.skip(version == 1 ? 16 : 8)
      return (try reader.u32(), version == 1 ? try reader.u64() : UInt64(try reader.u32()))
    }
    if let header { (timescale, mediaDuration) = header }
    handler = opener.read(atoms[.handler]) { (reader) throws(BoxDamage) in
      try reader.skip(8)
      return BoxType(code: try reader.u32())
    }
    if let list = atoms[BoxType("dref")] {
      for entry in opener.children(of: list, behind: 8) {
        // The flag says that it is this file.
        if opener.read(entry, { (reader) throws(BoxDamage) in try reader.versionAndFlags().flags & 1 }) == 0 {
          isElsewhere = true
        }
      }
    }
    guard let list = atoms[.descriptions] else { return }
    for entry in opener.children(of: list, behind: 8) {
      descriptions.append(SampleDescription(entry, handler: handler, &opener))
    }
  }

  private mutating func readTables(_ opener: inout AtomOpener) {
    durations = table(.times, bytes: 8, &opener) { (reader) throws(BoxDamage) in (try reader.u32(), try reader.u32()) }
    offsets = table(.offsets, bytes: 8, &opener) { (reader) throws(BoxDamage) in (try reader.u32(), try reader.i32()) }
    if atoms[.syncs] != nil {
      syncs = table(.syncs, bytes: 4, &opener) { (reader) throws(BoxDamage) in try reader.u32() }
    }
    chunkRuns = table(.chunks, bytes: 12, &opener) { (reader) throws(BoxDamage) in
      (try reader.u32(), try reader.u32(), try reader.u32())
    }
    chunks =
      atoms[.longChunkOffsets] != nil
      ? table(.longChunkOffsets, bytes: 8, &opener) { (reader) throws(BoxDamage) in try reader.u64() }
      : table(.chunkOffsets, bytes: 4, &opener) { (reader) throws(BoxDamage) in UInt64(try reader.u32()) }
    let sizes = opener.read(atoms[.sizes]) { (reader) throws(BoxDamage) in
      _ = try reader.versionAndFlags()
      let common = try reader.u32()
      guard common == 0 else { return (common, try reader.u32(), [UInt32]()) }
      let own = try TrackAtoms.entries(&reader, bytes: 4) { (reader) throws(BoxDamage) in try reader.u32() }
      return (common, UInt32(own.count), own)
    }
    if let sizes { (commonSize, sampleCount, self.sizes) = sizes }
    if atoms[.sizes] == nil, let compact = compactSizes(&opener) {
      (self.sizes, sampleCount) = (compact, UInt32(compact.count))
    }
  }

  /// `stz2`: sizes of 4, 8 or 16 bits (14496-12, 8.7.3.3).
  private func compactSizes(_ opener: inout AtomOpener) -> [UInt32]? {
    opener.read(atoms[BoxType("stz2")]) { (reader) throws(BoxDamage) in
      try reader.skip(7)
      let bits = try reader.u8()
      let count = try reader.u32()
      // A day of frames has two million.
      guard bits == 4 || bits == 8 || bits == 16, count <= 1 << 24,
        UInt64(count) * UInt64(bits) <= 8 * UInt64(reader.remaining.count)
      else { throw reader.damage("has \(count) sizes of \(bits) bits") }
      var sizes: [UInt32] = []
      sizes.reserveCapacity(Int(count))
      while sizes.count < Int(count) {
        let next = bits == 16 ? UInt32(try reader.u16()) : UInt32(try reader.u8())
        if bits == 4 { sizes.append(next >> 4) }
        if sizes.count < Int(count) { sizes.append(bits == 4 ? next & 15 : next) }
      }
      return sizes
    }
  }

  private func table<Entry>(
    _ type: BoxType, bytes: Int, _ opener: inout AtomOpener, _ entry: (inout BoxReader) throws(BoxDamage) -> Entry
  ) -> [Entry] {
    opener.read(atoms[type]) { (reader) throws(BoxDamage) in
      _ = try reader.versionAndFlags()
      return try TrackAtoms.entries(&reader, bytes: bytes, entry)
    } ?? []
  }

  /// Reads a count, and as many entries; takes no more memory than the atom has bytes.
  private static func entries<Entry>(
    _ reader: inout BoxReader, bytes: Int, _ entry: (inout BoxReader) throws(BoxDamage) -> Entry
  ) throws(BoxDamage) -> [Entry] {
    let count = try reader.u32()
    guard UInt64(count) * UInt64(bytes) <= UInt64(reader.remaining.count) else {
      throw reader.damage("claims \(count) entries, but has room for \(reader.remaining.count / bytes)")
    }
    var entries: [Entry] = []
    entries.reserveCapacity(Int(count))
    for _ in 0..<count { entries.append(try entry(&reader)) }
    return entries
  }
}
