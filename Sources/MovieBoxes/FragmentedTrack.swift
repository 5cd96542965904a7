/// A track of a movie in fragments: what its header says, and the samples of the fragments so far.
struct FragmentedTrack: Sendable {
  /// Values of samples for which a fragment gives none of its own (`trex`).
  struct Defaults: Hashable, Sendable {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
  }

  let identifier: UInt32
  let handler: BoxType
  /// Ticks a second.
  let timescale: UInt32
  /// Whether its audio is PCM: a sample of the index is then one of each channel.
  let isPCM: Bool
  /// By what its frames are told from overwritten data; `nil` if nothing tells.
  let mark: FrameMark?
  /// Where in the media its edit begins, in ticks; 0 if it has none.
  let editStart: Int64
  /// The whole `trak`.
  let header: [UInt8]
  var defaults = Defaults()
  var samples = SampleTable()
  /// Ticks before the first sample, of which nothing is left.
  private(set) var delay: UInt64 = 0

  /// Bit of a sample's flags: it cannot be decoded alone (14496-12, 8.8.3.1).
  private static let isNoSync: UInt32 = 0x1_0000

  init(_ track: BoxReader.Box) throws(BoxDamage) {
    header = Array(track.whole)
    var identifier: UInt32?, timescale: UInt32?, handler: BoxType?, isPCM = false, editStart: Int64 = 0
    var mark: FrameMark?
    var reader = track.reader
    for box in try reader.boxes() {
      if box.type == .trackHeader { identifier = try FragmentedTrack.identifier(box) }
      if box.type == .edits { editStart = (try? FragmentedTrack.editStart(box)) ?? 0 }
      guard box.type == .media else { continue }
      var media = box.reader
      for box in try media.boxes() {
        if box.type == .mediaHeader { timescale = try FragmentedTrack.timescale(box) }
        if box.type == .handler {
          var reader = box.reader
          try reader.skip(8)
          handler = BoxType(code: try reader.u32())
        }
        if box.type == .information, let description = try FragmentedTrack.description(in: box) {
          isPCM = FragmentedTrack.pcm.contains(description.type)
          mark = FrameMark(description)
        }
      }
    }
    guard let identifier, let timescale, timescale > 0, let handler else {
      throw BoxDamage(.track, at: track.whole.startIndex, "lacks the track's number, time scale or handler")
    }
    self.identifier = identifier
    self.timescale = timescale
    self.handler = handler
    self.editStart = editStart
    self.isPCM = isPCM && handler == .sound
    self.mark = handler == .picture ? mark : nil
  }

  /// QuickTime's sample formats of uncompressed audio.
  private static let pcm: Set<BoxType> = [
    BoxType("sowt"), BoxType("twos"), BoxType("in24"), BoxType("in32"), BoxType("fl32"), BoxType("fl64"),
    BoxType("lpcm"), BoxType("raw "), BoxType("ipcm"), BoxType("fpcm"),
  ]

  /// How its samples are stored; `nil` if it does not say.
  private static func description(in information: BoxReader.Box) throws(BoxDamage) -> BoxReader.Box? {
    var reader = information.reader
    guard let samples = try reader.boxes().first(where: { $0.type == .samples }) else { return nil }
    var tables = samples.reader
    guard let list = try tables.boxes().first(where: { $0.type == .descriptions }) else { return nil }
    var entries = list.reader
    try entries.skip(8)
    return try entries.box()
  }

  private static func identifier(_ box: BoxReader.Box) throws(BoxDamage) -> UInt32 {
    var reader = box.reader
    try reader.skip(try reader.versionAndFlags().version == 1 ? 16 : 8)
    return try reader.u32()
  }

  private static func timescale(_ box: BoxReader.Box) throws(BoxDamage) -> UInt32 {
    var reader = box.reader
    try reader.skip(try reader.versionAndFlags().version == 1 ? 16 : 8)
    return try reader.u32()
  }

  /// An empty edit, at time -1, only delays the others.
  private static func editStart(_ box: BoxReader.Box) throws(BoxDamage) -> Int64? {
    var edits = box.reader
    guard let list = try edits.boxes().first(where: { $0.type == .editList }) else { return nil }
    var fields = list.reader
    let isLong = try fields.versionAndFlags().version == 1, count = try fields.u32()
    for _ in 0..<count {
      try fields.skip(isLong ? 8 : 4)
      let time = isLong ? Int64(bitPattern: try fields.u64()) : Int64(try fields.i32())
      if time >= 0 { return time }
      try fields.skip(4)
    }
    return nil
  }

  /// Adds samples that lie one after another. PCM audio comes in packets; a sample of QuickTime's is one of each
  /// channel.
  mutating func add(_ run: SampleRun) {
    samples.beginChunk(at: run.start)
    for sample in run.samples {
      if isPCM {
        samples.add(
          size: sample.size / sample.duration, duration: 1, offset: 0, isSync: true, count: sample.duration)
      } else {
        samples.add(
          size: sample.size, duration: sample.duration, offset: sample.offset,
          isSync: sample.flags & FragmentedTrack.isNoSync == 0)
      }
    }
  }

  /// Where the next sample would begin, in ticks.
  var end: UInt64 { delay + samples.duration }

  /// Where the last sample ends as shown, in ticks from the track's beginning.
  var shownEnd: UInt64 { delay + samples.shown }

  /// Shows the last sample until `time` at most, in ticks from the track's beginning.
  mutating func shorten(to time: UInt64) {
    guard time > delay else { return }
    samples.shorten(to: time - delay)
  }

  /// Adds samples at their own time. If that is later than the end of those before, there is a gap: the last frame
  /// before it stays, and silence replaces audio.
  mutating func add(_ run: SampleRun, at time: UInt64) {
    if time > end, !run.samples.isEmpty {
      let gap = time - end
      if isPCM {
        addSilence(upTo: time, like: run)
      } else if samples.count > 0 {
        samples.lastLasts(UInt32(clamping: UInt64(samples.lastDuration) + gap))
      } else {
        delay += gap
      }
    }
    add(run)
  }

  /// Adds silence for lost PCM up to `time`, in samples of the run's size.
  mutating func addSilence(upTo time: UInt64, like run: SampleRun) {
    guard isPCM, time > end, let first = run.samples.first else { return }
    samples.addSilence(time - end, size: first.size / first.duration, atOnce: timescale)
  }
}
