/// A track with its tables, made from one in fragments.
struct TrackBox {
  private let track: FragmentedTrack
  private let table: SampleTable
  /// The duration of the track, in the movie's ticks.
  private let movieDuration: UInt64
  /// Ticks a second of the movie.
  private let timescale: UInt32
  /// Where a chunk of silence lies.
  private let silence: UInt64
  /// By how many ticks the samples are shown sooner than in fragments.
  private let advance: Int64

  /// - Parameters:
  ///   - timescale: the movie's.
  ///   - pictures: how long the frames last, as ticks and their scale; a timecode label lasts that long, too.
  init(_ track: FragmentedTrack, _ timescale: UInt32, pictures: (ticks: UInt64, scale: UInt32)?, silence: UInt64) {
    var table = track.samples, advance: Int64 = 0
    if track.handler == .timecode, let pictures {
      let ticks = TrackBox.rescaled(pictures.ticks, from: pictures.scale, to: track.timescale)
      table.lastLasts(UInt32(clamping: ticks - min(ticks, table.durationBeforeLast)))
    } else {
      table.coverShown()
      table.settleLast()
      // With one or two frames of reordered ones, the edit would begin behind the media, and show nothing.
      if track.editStart >= Int64(clamping: table.duration) {
        advance = table.removeCommonDelay(upTo: track.editStart)
      }
    }
    self.track = track
    self.advance = advance
    self.table = table
    self.silence = silence
    self.timescale = timescale
    movieDuration = TrackBox.rescaled(table.duration, from: track.timescale, to: timescale)
  }

  private static func rescaled(_ ticks: UInt64, from: UInt32, to: UInt32) -> UInt64 {
    let product = ticks.multipliedFullWidth(by: UInt64(to))
    let divisor = UInt64(from)
    guard product.high < divisor else { return .max }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    return remainder * 2 >= divisor && quotient < .max ? quotient + 1 : quotient
  }

  /// - Returns: the box, and how long it is shown, in the movie's ticks, including a delay at its beginning.
  func bytes() throws(BoxDamage) -> (bytes: [UInt8], duration: UInt64) {
    var outer = BoxReader(track.header[...], of: .track)
    guard let box = try outer.box() else { throw BoxDamage(.track, at: 0, "is missing") }
    var reader = box.reader
    let boxes = try reader.boxes()
    var edits: [UInt8]?
    var shown = movieDuration
    if let box = boxes.first(where: { $0.type == .edits }) { (edits, shown) = try editList(box) }
    var out = BoxBytes()
    try out.box(.track) { (out) throws(BoxDamage) in
      for box in boxes {
        switch box.type {
        case .trackHeader: out.put(try HeaderBox.with(duration: shown, box, timesBefore: 2))
        case .edits: out.put(edits ?? Array(box.whole))
        case .media: try putMedia(box, &out)
        default: out.put(box.whole)
        }
      }
    }
    return (out.bytes, shown)
  }

  /// The same edits, with the one that shows the media made as long as the media.
  private func editList(_ box: BoxReader.Box) throws(BoxDamage) -> (bytes: [UInt8], shown: UInt64) {
    var reader = box.reader
    guard let list = try reader.boxes().first(where: { $0.type == .editList }) else {
      return (Array(box.whole), movieDuration)
    }
    var fields = list.reader
    let (version, flags) = try fields.versionAndFlags(), count = try fields.u32()
    var entries: [(duration: UInt64, time: Int64, rate: UInt32)] = []
    for _ in 0..<count {
      var duration = version == 1 ? try fields.u64() : UInt64(try fields.u32())
      var time = version == 1 ? Int64(bitPattern: try fields.u64()) : Int64(try fields.i32())
      if time >= 0 { (duration, time) = (movieDuration, max(0, time - advance)) }
      if time >= 0, let begin = lateBegin(time) {
        entries.append((begin, -1, 1 << 16))
        time = table.earliest ?? time
      }
      entries.append((duration, time, try fields.u32()))
    }
    let isLong = entries.contains { $0.duration > UInt64(UInt32.max) || Int32(exactly: $0.time) == nil }
    var out = BoxBytes()
    out.box(.edits) { out in
      out.fullBox(.editList, version: isLong ? 1 : 0, flags: flags) { out in
        out.put(UInt32(entries.count))
        for entry in entries {
          if isLong {
            out.put(entry.duration)
            out.put(entry.time)
          } else {
            out.put(UInt32(entry.duration))
            out.put(Int32(entry.time))
          }
          out.put(entry.rate)
        }
      }
    }
    return (out.bytes, entries.reduce(0) { $0 &+ $1.duration })
  }

  /// For a track whose beginning is lost: when the first sample that is left is shown, in the movie's ticks; `nil` if
  /// nothing is lost. Programs expect an edit to begin with a sample.
  private func lateBegin(_ mediaTime: Int64) -> UInt64? {
    guard track.delay > 0, let earliest = table.earliest, earliest >= 0 else { return nil }
    let begin = Int64(clamping: track.delay).addingReportingOverflow(earliest - mediaTime)
    guard !begin.overflow, begin.partialValue > 0 else { return nil }
    return TrackBox.rescaled(UInt64(begin.partialValue), from: track.timescale, to: timescale)
  }

  // MARK: Media

  private func putMedia(_ media: BoxReader.Box, _ out: inout BoxBytes) throws(BoxDamage) {
    try out.box(.media) { (out) throws(BoxDamage) in
      var reader = media.reader
      for box in try reader.boxes() {
        switch box.type {
        case .mediaHeader: out.put(try HeaderBox.with(duration: table.duration, box, timesBefore: 1))
        case .information: try putInformation(box, &out)
        default: out.put(box.whole)
        }
      }
    }
  }

  private func putInformation(_ information: BoxReader.Box, _ out: inout BoxBytes) throws(BoxDamage) {
    try out.box(.information) { (out) throws(BoxDamage) in
      var reader = information.reader
      for box in try reader.boxes() {
        guard box.type == .samples else {
          out.put(box.whole)
          continue
        }
        var reader = box.reader
        guard let descriptions = try reader.boxes().first(where: { $0.type == .descriptions }) else {
          throw BoxDamage(.samples, at: box.whole.startIndex, "describes no samples")
        }
        guard table.count <= UInt64(UInt32.max) else {
          throw BoxDamage(
            .samples, at: box.whole.startIndex, "has \(table.count) samples; an index holds \(UInt32.max)")
        }
        out.box(.samples) { out in
          out.put(descriptions.whole)
          putTables(&out)
        }
      }
    }
  }

  private func putTables(_ out: inout BoxBytes) {
    out.fullBox(.times) { out in
      out.put(UInt32(table.durations.runs.count))
      for run in table.durations.runs {
        out.put(run.count)
        out.put(run.value)
      }
    }
    if table.offsets.runs.contains(where: { $0.value != 0 }) {
      // QuickTime reads the offsets as signed, whatever the version; version 1 says so.
      let isSigned = table.offsets.runs.contains { $0.value < 0 }
      out.fullBox(.offsets, version: isSigned ? 1 : 0) { out in
        out.put(UInt32(table.offsets.runs.count))
        for run in table.offsets.runs {
          out.put(run.count)
          out.put(run.value)
        }
      }
    }
    if !table.areAllSync {
      out.fullBox(.syncs) { out in
        out.put(UInt32(table.syncs.count))
        for number in table.syncs { out.put(number) }
      }
    }
    out.fullBox(.chunks) { out in
      let runs = chunkRuns
      out.put(UInt32(runs.count))
      for run in runs {
        out.put(run.first)
        out.put(run.samples)
        out.put(UInt32(1))
      }
    }
    out.fullBox(.sizes) { out in
      out.put(table.commonSize ?? 0)
      out.put(UInt32(table.count))
      for size in table.sizes { out.put(size) }
    }
    let chunks = table.chunks.filter { $0.count > 0 }
      .map { (offset: $0.offset == SampleTable.silence ? silence : $0.offset, count: $0.count) }
    let isLong = chunks.contains { $0.offset > UInt64(UInt32.max) }
    out.fullBox(isLong ? .longChunkOffsets : .chunkOffsets) { out in
      out.put(UInt32(chunks.count))
      for chunk in chunks { isLong ? out.put(chunk.offset) : out.put(UInt32(chunk.offset)) }
    }
  }

  /// Chunks in a row that hold the same number of samples, by the number of the first.
  private var chunkRuns: [(first: UInt32, samples: UInt32)] {
    var runs: [(first: UInt32, samples: UInt32)] = []
    var number: UInt32 = 0
    for chunk in table.chunks where chunk.count > 0 {
      number += 1
      if runs.last?.samples != chunk.count { runs.append((number, chunk.count)) }
    }
    return runs
  }
}
