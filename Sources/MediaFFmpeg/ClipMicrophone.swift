public import Audio
import CFFmpeg
public import Frames
import Synchronization

/// The audio of a clip as a microphone: a second reader of the same file on the clock of its camera.
///
/// 16-bit PCM stays as it is; lossless audio of more bits becomes 32-bit PCM, and lossy audio 16-bit PCM. Rate and
/// channels are the clip's. A gap in the audio is reported as `lostBefore` of the block after it, and what cannot be
/// decoded at its end, of an empty block.
///
/// Thread: `start`, `read`, `stop` on one thread at a time; the rest on any.
///
/// `@unchecked Sendable`: only `read` touches what changes, libav's objects included; `report` is under its mutex.
public final class ClipMicrophone: Microphone, @unchecked Sendable {
  public let name: String
  public let format: AudioFormat
  public var isPulled: Bool { !clock.isPaced }
  /// ISO 639-2: `fra`; `nil` if the clip does not say.
  public let language: String?
  /// Says which of the clip's audio tracks are left out; `nil` if it has only one.
  public let leftOut: String?

  private let clock: ClipClock
  private let reader: ClipReader
  private let converter: SampleConverter
  private let frame: LibavFrame
  private let framesPerTick: Rational
  private let nanosecondsPerFrame: Rational
  private let report = Mutex<(sentences: [String], damage: [Damage], isCutOff: Bool)>(([], [], false))

  /// The rest of the decoded samples, and the position of its first audio frame since presentation time 0.
  private var left: UnsafeRawBufferPointer
  private var position: Int64
  private var lostBefore = 0
  private var isAtEnd = false
  private var damaged = 0
  /// Something could not be decoded since the last samples.
  private var isBroken = false

  /// A part of the audio that cannot be read.
  public struct Damage: Hashable, Sendable {
    /// Where readable audio ends, and where it begins again (`nil`: not yet), in a clip that is not paced.
    public let start: MonotonicTime
    public fileprivate(set) var end: MonotonicTime?
    /// For a person.
    public let sentence: String
  }

  /// Opens the audio of the clip at `path`; `nil` if it has none, or an audio track without a sample.
  ///
  /// - Parameter clock: the clock of the clip's camera, which also decides whether the audio is paced.
  /// - Throws: code `input`: the file cannot be read, or its audio cannot be decoded.
  public static func open(path: String, sharing clock: ClipClock) throws(CamrecError) -> ClipMicrophone? {
    guard let reader = try ClipReader(path: path, kind: AVMEDIA_TYPE_AUDIO) else { return nil }
    do throws(LibavError) {
      let frame = try LibavFrame()
      var damaged = 0
      while true {
        switch reader.next(into: frame.pointer) {
        case .damaged: damaged += 1
        case .frame: return try ClipMicrophone(reader, first: frame, damaged: damaged, clock: clock)
        case .end where damaged == 0 && reader.readEnd == nil && reader.failure == nil: return nil
        case .end: throw LibavError(function: "avcodec_receive_frame", code: CFFmpeg_errorInvalidData)
        }
      }
    } catch {
      throw CamrecError(
        .input, about: .microphone,
        "cannot decode the audio of \(path); leave it out with \(setting: .microphone) none", cause: error.cause)
    }
  }

  private init(_ reader: ClipReader, first: LibavFrame, damaged: Int, clock: ClipClock) throws(LibavError) {
    self.reader = reader
    self.clock = clock
    frame = first
    name = "audio of \(reader.container.path)"
    language = LibavContainer.language(of: reader.stream)
    let others = reader.container.others(than: reader.stream)
    leftOut =
      others.isEmpty
      ? nil
      : "the clip has \(others.count + 1) audio tracks, and the film keeps one: "
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
    if damaged > 0 {
      let start = min(position, reader.start.map(framesPerTick.scaling) ?? position)
      lostBefore = Int(position.subtractingSaturated(start))
      noteDamage(from: start, to: position)
    }
  }

  /// Warnings from reading, complete once the audio has ended. Empty if all went well.
  public var endWarnings: [String] { report.withLock { $0.sentences } }

  /// Whether the audio has ended before the end that the file's header promises, or before its format changes.
  public var isCutOff: Bool { report.withLock { $0.isCutOff } }

  /// The damaged parts of what has been read so far, in order.
  public var damage: [Damage] { report.withLock { $0.damage } }

  public func start() throws(CamrecError) { clock.begin() }

  public func stop() {}

  public func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    buffer.count = 0
    buffer.lostBefore = 0
    // A live source delivers audio once it has been heard: 50 ms at most, when they are over.
    let wanted = clock.isPaced ? min(buffer.capacity, max(1, format.sampleRate / 20)) : buffer.capacity
    if left.isEmpty { try decode() }
    guard !left.isEmpty else { return takeLossAtEnd(into: &buffer) }
    guard clock.wait(for: instant(position + Int64(wanted))) else { return true }
    buffer.time = instant(position)
    buffer.lostBefore = lostBefore
    lostBefore = 0
    while buffer.count < wanted {
      if left.isEmpty { try decode() }
      // Audio after a gap begins a block of its own.
      guard !left.isEmpty, lostBefore == 0 else { break }
      take(wanted - buffer.count, into: &buffer)
    }
    return true
  }

  /// - Returns: false if nothing is missing at the end, or if that was reported before.
  private func takeLossAtEnd(into buffer: inout AudioBuffer) -> Bool {
    guard lostBefore > 0 else { return false }
    guard clock.wait(for: instant(position)) else { return true }
    buffer.time = instant(position)
    buffer.lostBefore = lostBefore
    lostBefore = 0
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
        isBroken = true
        noteDamage(from: position)
      case .end:
        loseEnd()
        end(cutSentence)
      case .frame:
        defer { av_frame_unref(frame.pointer) }
        guard converter.takes(frame.pointer) else {
          end("\(name) changes its format at \(seconds) s and is kept up to there")
          return
        }
        do throws(LibavError) {
          left = try converter.convert(frame.pointer)
        } catch {
          throw CamrecError(.defect, "\(name) cannot be converted", cause: error.cause)
        }
        place(ticks: frame.pointer.pointee.best_effort_timestamp)
        if isBroken { endDamage() }
        isBroken = false
      }
    }
  }

  /// Compares where the samples in `left` belong with where the samples before them ended.
  ///
  /// Timestamps in milliseconds, and encoders that stamp by the clock, are slightly off. A difference of more than 20
  /// ms is a gap, or audio that has come before. Behind a packet that cannot be decoded, which may be as short as 2.5
  /// ms, more than 2 ms are a gap.
  private func place(ticks: Int64) {
    guard ticks != CFFmpeg_noTimestamp else { return }
    let gap = framesPerTick.scaling(ticks) - position
    if gap > Int64(format.sampleRate / (isBroken ? 500 : 50)) {
      lostBefore = Int(gap)
      position += gap
    } else if gap < -Int64(format.sampleRate / 50) {
      let bytes = min(left.count, Int(-gap) * format.bytesPerFrame)
      left = UnsafeRawBufferPointer(rebasing: left[bytes...])
    }
  }

  /// Counts what cannot be decoded behind the last samples as lost.
  private func loseEnd() {
    guard isBroken, let readEnd = reader.readEnd else { return }
    let missing = framesPerTick.scaling(min(readEnd, reader.promisedEnd ?? readEnd)).subtractingSaturated(position)
    guard missing > 0 else { return }
    lostBefore = Int(missing)
    position += missing
  }

  /// Says why reading ended too early: it failed, or the header promised at least a tenth of a second more. `nil` if
  /// nothing is missing.
  private var cutSentence: String? {
    if let failure = reader.failure { return "\(name) cannot be read beyond \(seconds) s (\(failure.cause))" }
    guard let promised = reader.promisedEnd.map(framesPerTick.scaling) else { return nil }
    let read = max(position, reader.readEnd.map(framesPerTick.scaling) ?? position)
    guard promised.subtractingSaturated(read) >= Int64(format.sampleRate / 10) else { return nil }
    return "\(name) ends at \(seconds) s, but its header promises \(secondsAt(promised)) s: it was cut off"
  }

  private func end(_ sentence: String?) {
    isAtEnd = true
    let what = damaged == 1 ? "1 packet" : "\(damaged) packets"
    let damage = damaged > 0 ? "\(name): \(what) cannot be decoded; silence fills what is missing" : nil
    report.withLock {
      $0.sentences = [damage, sentence].compactMap(\.self)
      $0.isCutOff = sentence != nil
    }
    if let sentence { noteDamage(from: position, sentence) }
  }

  /// - Parameter end: in audio frames, if known.
  private func noteDamage(from start: Int64, to end: Int64? = nil, _ sentence: String? = nil) {
    let damage = Damage(
      start: instant(start), end: end.map(instant),
      sentence: sentence ?? "\(name): a packet at \(seconds) s cannot be decoded")
    report.withLock { $0.damage.append(damage) }
  }

  /// Closes the open damage: there is audio again.
  private func endDamage() {
    let end = instant(position)
    report.withLock { report in
      for index in report.damage.indices.reversed() {
        guard report.damage[index].end == nil else { break }
        report.damage[index].end = end
      }
    }
  }

  private var seconds: String { secondsAt(position) }
  private func secondsAt(_ frames: Int64) -> String {
    String(Double(nanosecondsPerFrame.scaling(frames) / 10_000_000) / 100)
  }
  private func instant(_ frames: Int64) -> MonotonicTime { clock.instant(of: nanosecondsPerFrame.scaling(frames)) }
}
