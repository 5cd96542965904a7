/// A movie in fragments (ISO/IEC 14496-12, 8.8) as far as it is known: its header, and each fragment that was added.
///
/// Thread: one at a time.
public struct FragmentedMovie: Sendable {
  /// The movie header as it stands in the file.
  let header: [UInt8]
  var tracks: [FragmentedTrack]

  /// - Parameter movie: the whole `moov` box.
  /// - Throws: if it is damaged, or if the movie is not in fragments.
  public init(movie: [UInt8]) throws(BoxDamage) {
    header = movie
    var outer = BoxReader(movie[...], of: .movie)
    guard let box = try outer.box(), box.type == .movie, outer.isAtEnd else {
      throw BoxDamage(.movie, at: 0, "is missing")
    }
    var reader = box.reader
    var tracks: [FragmentedTrack] = []
    var isFragmented = false
    for box in try reader.boxes() {
      if box.type == .track { tracks.append(try FragmentedTrack(box)) }
      guard box.type == .movieExtends else { continue }
      isFragmented = true
      var extends = box.reader
      for box in try extends.boxes() where box.type == .trackExtends {
        try FragmentedMovie.take(box, &tracks)
      }
    }
    guard isFragmented else { throw BoxDamage(.movie, at: 0, "does not belong to a movie in fragments") }
    self.tracks = tracks
  }

  private static func take(_ box: BoxReader.Box, _ tracks: inout [FragmentedTrack]) throws(BoxDamage) {
    var reader = box.reader
    _ = try reader.versionAndFlags()
    let identifier = try reader.u32()
    _ = try reader.u32()
    let defaults = FragmentedTrack.Defaults(
      duration: try reader.u32(), size: try reader.u32(), flags: try reader.u32())
    if let index = tracks.firstIndex(where: { $0.identifier == identifier }) { tracks[index].defaults = defaults }
  }

  /// Bytes that an index of what was added has at most.
  var indexBytes: Int64 { tracks.reduce(Int64(2 * header.count)) { $0 + $1.samples.indexBytes } }

  /// Adds a fragment.
  ///
  /// - Parameters:
  ///   - fragment: the whole `moof` box.
  ///   - offset: where its first byte is in the file.
  ///   - limit: where the fragment's data ends in the file; no sample reaches beyond it.
  /// - Throws: if it is damaged; nothing is added then.
  public mutating func add(fragment: [UInt8], at offset: UInt64, limit: UInt64) throws(BoxDamage) {
    // Nothing has been added until here, and nothing fails from here on.
    for run in try runs(of: fragment, at: offset, limit: limit) { tracks[run.track].add(run) }
  }

  /// The samples of a fragment, in the order of their bytes, which lie in the file one after another.
  ///
  /// - Throws: if it is damaged.
  func runs(of fragment: [UInt8], at offset: UInt64, limit: UInt64) throws(BoxDamage) -> [SampleRun] {
    var outer = BoxReader(fragment[...], of: .fragment)
    guard let box = try outer.box(), box.type == .fragment else { throw BoxDamage(.fragment, at: 0, "is missing") }
    let data = offset.addingReportingOverflow(UInt64(fragment.count) + 8)
    guard !data.overflow, data.partialValue <= limit else { throw BoxDamage(.fragment, at: 0, "has no data") }
    var reader = box.reader
    var runs: [SampleRun] = []
    var end = offset
    for box in try reader.boxes() where box.type == .trackFragment {
      end = try read(box, fragment: offset, behind: end, data: max(data.partialValue, end)..<limit, &runs)
    }
    guard runs.reduce(0, { $0 + $1.samples.count }) <= Int(SampleRun.most) else {
      throw BoxDamage(.fragment, at: 0, "has too many samples")
    }
    return runs
  }

  /// - Returns: where the data of this track's part ends.
  private func read(
    _ part: BoxReader.Box, fragment: UInt64, behind end: UInt64, data: Range<UInt64>, _ runs: inout [SampleRun]
  ) throws(BoxDamage) -> UInt64 {
    var reader = part.reader
    let boxes = try reader.boxes()
    guard let header = boxes.first(where: { $0.type == .fragmentHeader }) else {
      throw BoxDamage(.trackFragment, at: part.whole.startIndex, "has no header")
    }
    var fields = header.reader
    let flags = try fields.versionAndFlags().flags, identifier = try fields.u32()
    guard let track = tracks.firstIndex(where: { $0.identifier == identifier }) else {
      throw BoxDamage(.fragmentHeader, at: header.whole.startIndex, "is for track \(identifier), which does not exist")
    }
    var defaults = tracks[track].defaults
    var base = flags & 0x2_0000 != 0 ? fragment : end
    if flags & 0x1 != 0 { base = try fields.u64() }
    if flags & 0x2 != 0 { _ = try fields.u32() }
    if flags & 0x8 != 0 { defaults.duration = try fields.u32() }
    if flags & 0x10 != 0 { defaults.size = try fields.u32() }
    if flags & 0x20 != 0 { defaults.flags = try fields.u32() }
    var position = base, data = data
    var time: UInt64?
    if let box = boxes.first(where: { $0.type == .fragmentTime }) {
      var fields = box.reader
      time = try fields.versionAndFlags().version == 1 ? try fields.u64() : UInt64(try fields.u32())
    }
    for box in boxes where box.type == .run {
      var run = try SampleRun(box, of: track, defaults, base: base, behind: position, data: data)
      run.time = time
      time = nil
      if tracks[track].isPCM { try run.checkPCM(frameSize: tracks[track].samples.commonSize, box) }
      position = run.end
      data = max(data.lowerBound, run.end)..<data.upperBound
      runs.append(run)
    }
    return position
  }

  /// The sequence number of a fragment (`mfhd`); `nil` if it has none.
  static func sequence(of fragment: [UInt8]) -> UInt32? {
    var outer = BoxReader(fragment[...], of: .fragment)
    guard var reader = try? outer.box()?.reader, let box = try? reader.box(), box.type == .sequence else { return nil }
    var fields = box.reader
    guard (try? fields.u32()) != nil else { return nil }
    return try? fields.u32()
  }
}
