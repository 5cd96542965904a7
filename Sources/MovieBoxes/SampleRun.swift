/// Samples of a fragment that lie one after another (`trun`; ISO/IEC 14496-12, 8.8.8).
struct SampleRun: Sendable {
  struct Sample: Hashable, Sendable {
    var duration: UInt32
    var size: UInt32
    var flags: UInt32
    var offset: Int32
  }

  /// A fragment lasts about a second: more than a million samples are damage.
  static let most: UInt32 = 1 << 20

  /// The index of its track among the movie's.
  let track: Int
  /// Where the run begins in the file.
  let start: UInt64
  private(set) var end: UInt64
  private(set) var samples: [Sample] = []
  /// When the first sample is decoded, in ticks of the track; `nil` if the fragment does not say.
  var time: UInt64?

  /// - Parameters:
  ///   - data: where the fragment's data lies in the file; no sample reaches beyond it.
  ///   - previous: where the run before it ends.
  /// - Throws: if the box is damaged. Takes no more memory than the box and the data have bytes.
  init(
    _ box: BoxReader.Box, of track: Int, _ defaults: FragmentedTrack.Defaults, base: UInt64, behind previous: UInt64,
    data: Range<UInt64>
  ) throws(BoxDamage) {
    self.track = track
    var fields = box.reader
    let flags = try fields.versionAndFlags().flags, count = try fields.u32()
    var position = previous
    if flags & 0x1 != 0 {
      position = base.addingReportingOverflow(UInt64(bitPattern: Int64(try fields.i32()))).partialValue
    }
    start = position
    end = position
    guard position >= data.lowerBound, position <= data.upperBound else {
      throw BoxDamage(.run, at: box.whole.startIndex, "lies outside its fragment's data")
    }
    var first: UInt32?
    if flags & 0x4 != 0 { first = try fields.u32() }
    guard count <= SampleRun.most else { throw fields.damage("has \(count) samples") }
    // A sample that takes no bytes in the box has to take some in the data.
    if flags & 0xF00 == 0, defaults.size == 0, count > 0 { throw fields.damage("has samples without data") }
    for index in 0..<count {
      var sample = Sample(
        duration: defaults.duration, size: defaults.size, flags: index == 0 ? first ?? defaults.flags : defaults.flags,
        offset: 0)
      if flags & 0x100 != 0 { sample.duration = try fields.u32() }
      if flags & 0x200 != 0 { sample.size = try fields.u32() }
      if flags & 0x400 != 0 { sample.flags = try fields.u32() }
      if flags & 0x800 != 0 { sample.offset = try fields.i32() }
      guard UInt64(sample.size) <= data.upperBound - end else {
        throw BoxDamage(.run, at: box.whole.startIndex, "has samples beyond its fragment's data")
      }
      end += UInt64(sample.size)
      samples.append(sample)
    }
  }

  /// Samples of a run that lie one after another.
  init(track: Int, start: UInt64, samples: [Sample], time: UInt64?) {
    self.track = track
    self.start = start
    self.samples = samples
    self.time = time
    end = samples.reduce(start) { $0 + UInt64($1.size) }
  }

  /// The duration of all its samples, in ticks.
  var duration: UInt64 { samples.reduce(0) { $0 + UInt64($1.duration) } }

  /// - Parameter frameSize: bytes of a sample of each channel, if known.
  /// - Throws: if packets do not consist of complete samples, all of one size.
  func checkPCM(frameSize: UInt32?, _ box: BoxReader.Box) throws(BoxDamage) {
    var frameSize = frameSize, count: UInt64 = 0
    for sample in samples {
      guard sample.duration > 0, sample.size >= sample.duration, sample.size % sample.duration == 0,
        frameSize.map({ $0 == sample.size / sample.duration }) ?? true
      else { throw BoxDamage(.run, at: box.whole.startIndex, "has audio samples of another size than the track") }
      frameSize = sample.size / sample.duration
      count += UInt64(sample.duration)
    }
    guard count <= UInt64(UInt32.max) else {
      throw BoxDamage(.run, at: box.whole.startIndex, "has more samples than a chunk can have")
    }
  }
}
