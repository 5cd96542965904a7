public import Audio
import CFFmpeg
public import Frames
import Synchronization

/// The sound of a clip as a microphone: a second reader of the same file on the clock of its camera.
///
/// 16-bit PCM comes as it is; lossless sound of more bits as 32-bit PCM; what a lossy codec made as 16-bit PCM. Rate
/// and channels are the clip's. A hole in the sound comes as `lostBefore` of the block behind it.
///
/// Thread: `start`, `read`, `stop` on one thread at a time; the rest on any.
///
/// `@unchecked Sendable`: everything that changes, libav's objects included, is touched by `read` alone, except
/// `report`, which is under its mutex.
public final class ClipMicrophone: Microphone, @unchecked Sendable {
  public let name: String
  public let format: AudioFormat
  public var isPulled: Bool { !clock.isPaced }
  /// ISO 639-2: `fra`; `nil` where the clip does not say.
  public let language: String?
  /// What of the clip's sound is not read, for people; `nil` where it has one track.
  public let leftOut: String?

  private let clock: ClipClock
  private let reader: ClipReader
  private let converter: SampleConverter
  private let frame: LibavFrame
  private let framesPerTick: Rational
  private let nanosecondsPerFrame: Rational
  private let report = Mutex<(sentences: [String], damage: [Damage])>(([], []))

  /// What is left of the decoded samples, and the place of its first audio frame since presentation time 0.
  private var left: UnsafeRawBufferPointer
  private var position: Int64
  private var lostBefore = 0
  private var isAtEnd = false
  private var damaged = 0

  /// A part of the sound that cannot be read.
  public struct Damage: Hashable, Sendable {
    /// Where what can be read ends, and where it begins again (`nil`: not yet), in a clip that is not paced.
    public let start: MonotonicTime
    public fileprivate(set) var end: MonotonicTime?
    /// For a person.
    public let sentence: String
  }

  /// Opens the sound of the clip at `path`; `nil` where it has none.
  ///
  /// - Parameter clock: the clock of the clip's camera; says, too, whether sound is paced.
  /// - Throws: code `input`: the file cannot be read, or its sound does not decode.
  public static func open(path: String, sharing clock: ClipClock) throws(CamrecError) -> ClipMicrophone? {
    guard let reader = try ClipReader(path: path, kind: AVMEDIA_TYPE_AUDIO) else { return nil }
    do throws(LibavError) {
      let frame = try LibavFrame()
      var damaged = 0
      while true {
        switch reader.next(into: frame.pointer) {
        case .damaged: damaged += 1
        case .frame: return try ClipMicrophone(reader, first: frame, damaged: damaged, clock: clock)
        case .end: throw LibavError(function: "avcodec_receive_frame", code: CFFmpeg_errorInvalidData)
        }
      }
    } catch {
      throw CamrecError(
        .input, "the sound of \(path) cannot be decoded; --microphone none leaves it out", cause: error.cause)
    }
  }

  private init(_ reader: ClipReader, first: LibavFrame, damaged: Int, clock: ClipClock) throws(LibavError) {
    self.reader = reader
    self.clock = clock
    frame = first
    name = "sound of \(reader.container.path)"
    language = LibavContainer.language(of: reader.stream)
    let others = reader.container.others(than: reader.stream)
    leftOut =
      others.isEmpty
      ? nil
      : "the clip has \(others.count + 1) sound tracks, and the film keeps one: "
        + "\(LibavContainer.description(of: reader.stream)); left out: \(others.joined(separator: ", "))"
    let codec = avcodec_descriptor_get(reader.decoder.context.pointee.codec_id)?.pointee.props ?? 0
    converter = try SampleConverter(first.pointer, lossless: codec & AV_CODEC_PROP_LOSSLESS != 0)
    format = converter.format
    let timeBase = reader.stream.pointee.time_base
    framesPerTick = Rational(Int64(format.sampleRate)) * Rational(Int64(timeBase.num), Int64(timeBase.den))
    nanosecondsPerFrame = Rational(1_000_000_000, Int64(format.sampleRate))
    left = try converter.convert(first.pointer)
    let ticks = first.pointer.pointee.best_effort_timestamp
    position = ticks == CFFmpeg_noTimestamp ? 0 : framesPerTick.scaling(ticks)
    av_frame_unref(first.pointer)
    self.damaged = damaged
    if damaged > 0 { noteDamage(from: min(position, reader.start.map(framesPerTick.scaling) ?? position), to: position) }
  }

  /// What the reading had to say, complete once the sound has ended. Empty when all was well.
  public var endWarnings: [String] { report.withLock { $0.sentences } }

  /// What could not be read of what has been read so far, in its order.
  public var damage: [Damage] { report.withLock { $0.damage } }

  public func start() throws(CamrecError) { clock.begin() }

  public func stop() {}

  public func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    buffer.count = 0
    buffer.lostBefore = 0
    // A live source hands out what has been heard: 50 ms at most, when they are over.
    let wanted = clock.isPaced ? min(buffer.capacity, max(1, format.sampleRate / 20)) : buffer.capacity
    if left.isEmpty { try decode() }
    guard !left.isEmpty else { return false }
    guard clock.wait(for: instant(position + Int64(wanted))) else { return true }
    buffer.time = instant(position)
    buffer.lostBefore = lostBefore
    lostBefore = 0
    while buffer.count < wanted {
      if left.isEmpty { try decode() }
      // Sound behind a hole begins a block of its own.
      guard !left.isEmpty, lostBefore == 0 else { break }
      take(wanted - buffer.count, into: &buffer)
    }
    return true
  }

  private func take(_ wanted: Int, into buffer: inout AudioBuffer) {
    let bytes = format.bytesPerFrame, count = min(wanted, left.count / bytes), start = buffer.count * bytes
    buffer.withMutableBytes { target in
      UnsafeMutableRawBufferPointer(rebasing: target[start..<(start + count * bytes)])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: left[..<(count * bytes)]))
    }
    left = UnsafeRawBufferPointer(rebasing: left[(count * bytes)...])
    buffer.count += count
    position += Int64(count)
  }

  /// Fills `left` with the next samples, or leaves it empty at the end.
  private func decode() throws(CamrecError) {
    while left.isEmpty, !isAtEnd {
      switch reader.next(into: frame.pointer) {
      case .damaged:
        damaged += 1
        noteDamage(from: position)
      case .end: end(reader.failure.map { ["\(name) cannot be read beyond \(seconds) s (\($0.cause))"] } ?? [])
      case .frame:
        defer { av_frame_unref(frame.pointer) }
        guard converter.takes(frame.pointer) else {
          end(["\(name) changes its format at \(seconds) s and is kept up to there"])
          return
        }
        do throws(LibavError) {
          left = try converter.convert(frame.pointer)
        } catch {
          throw CamrecError(.defect, "\(name) cannot be converted", cause: error.cause)
        }
        place(ticks: frame.pointer.pointee.best_effort_timestamp)
        if damaged > 0 { endDamage() }
      }
    }
  }

  /// Compares where the samples in `left` belong with where the ones before ended.
  ///
  /// Time stamps in milliseconds and encoders that stamp by the clock are off by a little; what is off by more than
  /// 20 ms is a hole, or sound that was there before.
  private func place(ticks: Int64) {
    guard ticks != CFFmpeg_noTimestamp else { return }
    let gap = framesPerTick.scaling(ticks) - position
    if gap > Int64(format.sampleRate / 50) {
      lostBefore = Int(gap)
      position += gap
    } else if gap < -Int64(format.sampleRate / 50) {
      let bytes = min(left.count, Int(-gap) * format.bytesPerFrame)
      left = UnsafeRawBufferPointer(rebasing: left[bytes...])
    }
  }

  private func end(_ sentences: [String]) {
    isAtEnd = true
    let what = damaged == 1 ? "1 packet does" : "\(damaged) packets do"
    report.withLock {
      $0.sentences = (damaged > 0 ? ["\(name): \(what) not decode; silence stands for what is missing"] : []) + sentences
    }
    for sentence in sentences { noteDamage(from: position, sentence) }
  }

  /// - Parameter end: in audio frames, where it is known.
  private func noteDamage(from start: Int64, to end: Int64? = nil, _ sentence: String? = nil) {
    let damage = Damage(
      start: instant(start), end: end.map(instant),
      sentence: sentence ?? "\(name): a packet does not decode at \(seconds) s")
    report.withLock { $0.damage.append(damage) }
  }

  /// There is sound again.
  private func endDamage() {
    let end = instant(position)
    report.withLock { report in
      for index in report.damage.indices.reversed() {
        guard report.damage[index].end == nil else { break }
        report.damage[index].end = end
      }
    }
  }

  private var seconds: String { String(Double(nanosecondsPerFrame.scaling(position) / 10_000_000) / 100) }
  private func instant(_ frames: Int64) -> MonotonicTime { clock.instant(of: nanosecondsPerFrame.scaling(frames)) }
}
