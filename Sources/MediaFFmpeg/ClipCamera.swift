import CFFmpeg
public import Cameras
public import Frames
import Movies
import Synchronization

/// A recorded clip as a camera: any file that libavformat reads, paced in real time or as fast as it is pulled.
///
/// Frames whose layout the bake reads are lent in the decoder's own memory; others are converted to the nearest such
/// layout. Frames keep the file's times (`CapturedFrame.sourceTime`) exactly. A frame that cannot be decoded comes as
/// `.damaged`; once the clip has ended, `endWarnings` says what went wrong.
///
/// Thread: `start`, `next`, `stop` on one thread at a time; the rest on any.
///
/// `@unchecked Sendable`: only `next` touches what changes, libav's objects included; `report` is under its mutex.
public final class ClipCamera: Camera, @unchecked Sendable {
  /// The file's samples, before any conversion.
  public let samples: ClipSamples
  /// The colour tags that the file lacks, of `transfer`, `primaries` and `matrix`; R'G'B' needs no matrix.
  public let missingColorTags: [String]
  public let name: String
  public let path: String
  public let format: CameraFormat
  public let frameRate: FrameRate
  /// Warnings from opening the file: an unfinished film, an interlaced clip, a display matrix that cannot be kept.
  public let warnings: [String]
  /// Whether the file states matrix and transfer function; otherwise they are guessed from the frames' size.
  public var saysItsColor: Bool { !missingColorTags.contains { $0 != "primaries" } }
  /// For the clip's microphone (`ClipMicrophone.open(path:sharing:)`).
  public let clock: ClipClock
  /// Timecode, creation time, chapters and the other tags of the file.
  public let tags: ClipTags
  /// Frames from the one that the file's timecode labels to the first one delivered, at its frame rate. Frames in front
  /// of that may have been lost. Without a timecode track, from the file's first frame, or from the beginning of a .mkv
  /// of camrec's.
  public let framesBehindTimecode: Int
  /// Frames that the file promises from the first one delivered on; `nil` if it does not say.
  public let expectedFrames: Int?
  /// Frames that the file lists from the first one delivered on, gaps not counted; `nil` if it does not list them.
  public let listedFrames: Int?
  /// The presentation time of the first frame delivered, in a clip that is not paced.
  public let firstTime: MonotonicTime
  /// When the first frame delivered is due; of a paced clip, once that has started. Any thread.
  public var begin: MonotonicTime { instant(firstTicks) }

  /// The colour tags of the file's frames, and of its container where these say nothing; its codec if it is one of
  /// camrec's.
  private let colorTags: VideoColorTags
  private let codec: VideoCodec?
  private let reader: ClipReader
  /// Frames that were decoded before the first one delivered.
  private let framesInFront: Int
  /// The time of the first one delivered, in the file's ticks.
  private let firstTicks: Int64
  private let slots: PictureSlots
  /// Set if the bake does not read the file's layout. Frames are then decoded into `scratch`, otherwise into their
  /// slot.
  private let scaler: PictureScaler?
  private let scratch: LibavFrame
  private let shape: ClipPictureShape
  private let layout: PixelLayout
  private let nanosecondsPerTick: Rational
  private let ticksPerFrame: Int64
  private var grid: ClipGrid

  /// A decoded frame waits for its successor, which tells how long it lasts, and then for its instant.
  private var held: Held?
  /// `ticks` are the file's, `time` is in those of `format.timeBase`.
  private var ready: (slot: Int, ticks: Int64, time: SourceTime)?
  private var damaged = 0
  /// The time of the last damaged frame, if known.
  private var damagedTicks: Int64?
  private var end: CameraEnd?
  private var sequence: UInt64 = 0
  private var frameFormat: FrameFormat
  private var account: ClipAccount
  private var change: CamrecError?
  private let found: Mutex<ClipGaps>
  private let delivered = Mutex((last: false, end: false, all: false))
  private let report = Mutex<(damage: ClipDamage?, cut: String?)>((nil, nil))

  private struct Held {
    let slot: Int
    let ticks: Int64
    let duration: Int64
    /// `ticks` in those of `format.timeBase`.
    let time: Int64
  }

  /// Opens a clip and decodes it up to the first frame to deliver.
  ///
  /// - Parameters:
  ///   - paced: real time on the monotonic clock, or as fast as it is pulled.
  ///   - frames: frames that may be out at once; beyond that, `next` waits. Memory is used only for those that really
  ///     are.
  ///   - keepsFullChroma: lends frames with chroma for each pixel, R'G'B' included, as 4:4:4 instead of 4:2:2.
  ///   - keepsTimes: gives frames the times that the container has rounded, also where the rate is constant.
  ///   - skipped: frames to leave out at the beginning, whether they can be decoded or not.
  ///   - check: called before each of these; an error from it ends the opening.
  /// - Throws: code `input`: the file does not exist, is a directory or is no media file; or it has no video, no frame
  ///   that can be decoded, or no frame after those left out.
  public static func open(
    path: String, paced: Bool, frames: Int = 32, keepsFullChroma: Bool = false, keepsTimes: Bool = false,
    skipping skipped: Int = 0, check: () throws(CamrecError) -> Void = {}
  ) throws(CamrecError) -> ClipCamera {
    guard let reader = try ClipReader(path: path, kind: AVMEDIA_TYPE_VIDEO) else {
      throw CamrecError(.input, "\(path) has no video stream, which a clip needs")
    }
    let lead = try ClipCamera.skip(skipped, of: reader, check)
    let first: LibavFrame, damaged: [Int64?]
    do throws(LibavError) {
      (first, damaged) = try ClipCamera.firstPicture(of: reader)
    } catch {
      if let lead { throw ClipCamera.shortage(of: reader, lead, behind: skipped) }
      throw CamrecError(.input, "\(path) has no frame that can be decoded", cause: error.cause)
    }
    do throws(LibavError) {
      return try ClipCamera(
        reader, lead: lead, first: first, damaged: damaged, paced: paced, frames: frames,
        keepsFullChroma: keepsFullChroma, keepsTimes: keepsTimes)
    } catch {
      let format = ClipPictureShape(first.pointer).pixelFormat.name
      throw CamrecError(
        .input,
        "\(path) has the pixel format \(format), which camrec does not read; "
          + "convert it first: ffmpeg -i \(path) -pix_fmt yuv422p10le …",
        cause: error.cause)
    }
  }

  /// Decodes the frames before the first one to deliver.
  ///
  /// - Returns: an account of them, without those that cannot be decoded; `nil` if there are none.
  private static func skip(
    _ count: Int, of reader: ClipReader, _ check: () throws(CamrecError) -> Void
  ) throws(CamrecError) -> ClipAccount? {
    guard count > 0 else { return nil }
    let picture: LibavFrame
    do throws(LibavError) { picture = try LibavFrame() } catch {
      throw CamrecError(.defect, "cannot decode a clip", cause: error.cause)
    }
    var account: ClipAccount?
    for _ in 0..<count {
      try check()
      switch reader.next(into: picture.pointer) {
      case .damaged: continue
      case .frame:
        let ticks = ClipReader.time(of: picture.pointer) ?? account?.end ?? 0
        account = account ?? ClipAccount(of: reader, start: min(reader.start ?? ticks, ticks))
        account?.read(ticks: ticks, duration: max(1, CFFmpeg_frameDuration(picture.pointer)))
        av_frame_unref(picture.pointer)
      case .end: throw shortage(of: reader, account ?? ClipAccount(of: reader, start: reader.start ?? 0), behind: count)
      }
    }
    return account ?? ClipAccount(of: reader, start: reader.start ?? 0)
  }

  private static func shortage(of reader: ClipReader, _ lead: ClipAccount, behind skipped: Int) -> CamrecError {
    CamrecError(
      .input, "\(reader.container.path) has no frame after the first \(skipped)",
      cause: lead.cutSentence(
        frameDuration: reader.ticksPerFrame, failure: reader.failure, isWhole: reader.isWhole)
        ?? "only \(lead.pictures) of its frames can be decoded")
  }

  /// The first frame that can be decoded, and the times of those before it that cannot, as far as they are known.
  private static func firstPicture(of reader: ClipReader) throws(LibavError) -> (LibavFrame, damaged: [Int64?]) {
    let picture = try LibavFrame()
    var damaged: [Int64?] = []
    while true {
      switch reader.next(into: picture.pointer) {
      case .damaged(let time): damaged.append(time)
      case .frame: return (picture, damaged)
      case .end: throw LibavError(function: "avcodec_receive_frame", code: CFFmpeg_errorInvalidData)
      }
    }
  }

  private init(
    _ reader: ClipReader, lead: ClipAccount?, first: LibavFrame, damaged: [Int64?], paced: Bool, frames: Int,
    keepsFullChroma: Bool, keepsTimes: Bool
  ) throws(LibavError) {
    let picture = first.pointer, stream = reader.stream, path = reader.container.path
    let shape = ClipPictureShape(picture)
    let layout = PixelLayout(nearest: shape.pixelFormat, keepsFullChroma: keepsFullChroma)
    var tagged = picture.pointee
    reader.container.color(of: stream)?.complete(&tagged)
    let color = ColorDescription(tagsOf: tagged)
    let size = (width: Int(shape.width), height: Int(shape.height))
    let rate = reader.frameRate, timeBase = reader.timeBase
    // The scaler also turns over rows that run from the bottom up (a negative stride).
    if PixelLayout(shape.pixelFormat) != layout || picture.pointee.linesize.0 < 0 {
      scaler = try PictureScaler(
        from: shape.pixelFormat, to: layout.libavFormat, width: size.width, height: size.height, color: color)
      slots = try PictureSlots(capacity: frames + 3, memory: (layout.libavFormat, size.width, size.height))
    } else {
      scaler = nil
      slots = try PictureSlots(capacity: frames + 3)
    }
    self.reader = reader
    frameRate = rate
    found = Mutex(ClipGaps(frameRate: rate, timeBase: timeBase))
    self.shape = shape
    self.layout = layout
    self.damaged = damaged.count
    scratch = first
    name = "clip \(path)"
    self.path = path
    samples = ClipSamples(shape.pixelFormat)
    missingColorTags = [
      tagged.color_trc == AVCOL_TRC_UNSPECIFIED ? "transfer" : nil,
      tagged.color_primaries == AVCOL_PRI_UNSPECIFIED ? "primaries" : nil,
      tagged.colorspace == AVCOL_SPC_UNSPECIFIED && !shape.pixelFormat.isRGB ? "matrix" : nil,
    ].compactMap(\.self)
    colorTags = VideoColorTags(of: tagged)
    codec = VideoCodec(rawValue: String(cString: avcodec_get_name(stream.pointee.codecpar.pointee.codec_id)))
    tags = ClipTags(container: reader.container.context, stream: stream)
    let time = ClipReader.time(of: picture)
    account = lead ?? ClipAccount(of: reader, start: time ?? 0)
    grid = ClipGrid(of: reader, start: account.start, keepsTimes: keepsTimes)
    let aspect = av_guess_sample_aspect_ratio(reader.container.context, stream, picture)
    format = CameraFormat(
      width: size.width, height: size.height, image: .raw(layout), frameRate: rate,
      timeBase: timeBase * Rational(1, grid.parts), color: color,
      rotation: tags.rotation, pixelAspect: aspect.num > 0 && aspect.den > 0 ? Rational(aspect) : Rational(1))
    warnings = [reader.unfinished?.warning].compactMap(\.self) + tags.warnings + ClipCamera.warnings(stream, path)
    clock = ClipClock(isPaced: paced, start: reader.container.start)
    nanosecondsPerTick = Rational(1_000_000_000) * timeBase
    ticksPerFrame = reader.ticksPerFrame
    firstTime = MonotonicTime(nanoseconds: nanosecondsPerTick.scaling(time ?? 0))
    let first = time ?? account.end
    firstTicks = first
    let lead = Double(first) - Double(account.start)
    let skippedFrames = Int(min(max(0, lead * timeBase.doubleValue * rate.framesPerSecond), 1e12).rounded())
    framesBehindTimecode =
      tags.timecodeTime.map { label in
        let late = Double(first) * timeBase.doubleValue - label
        return Int(min(max(0, late * rate.framesPerSecond), 1e12).rounded())
      } ?? skippedFrames
    let read = account.pictures
    framesInFront = read
    listedFrames = reader.listedPackets.map { max(0, $0 - read) }
    expectedFrames = reader.promisedEnd.flatMap { end in
      let frames = Double(end.subtractingSaturated(first)) * timeBase.doubleValue * rate.framesPerSecond
      return frames > 0 ? Int(min(frames, 1e12).rounded()) : nil
    }
    frameFormat = FrameFormat(width: size.width, height: size.height, layout: layout, color: color)
    // A clip begins with its first frame that decodes.
    let start = account.start
    for time in damaged { account.readDamaged(at: time.map { max($0, start) }, duration: ticksPerFrame) }
    guard let slot = slots.take(waitingAtMost: 0) else { preconditionFailure("new slots are free") }
    try keep(picture, in: slot)
  }

  /// Warnings about what is not kept of a stream.
  private static func warnings(
    _ stream: UnsafePointer<AVStream>, _ path: String
  ) -> [String] {
    var warnings: [String] = []
    if CFFmpeg_isInterlaced(stream.pointee.codecpar) != 0 {
      warnings.append("\(path) is interlaced; camrec takes each pair of fields as one frame")
    }
    if let rate = FrameRate.excess(of: stream) {
      warnings.append(
        "\(path) has \(rate) frames per second, and camrec counts at most \(FrameRate.limit); "
          + "its frames keep their times")
    }
    return warnings
  }

  /// Warnings from reading, complete once the clip has ended: frames that cannot be decoded, and where a clip was cut
  /// off. Empty if all went well.
  public var endWarnings: [String] { warningsAtEnd(damaged: .max) }

  /// The same for a film that may end before its clip: frames are decoded ahead of it.
  ///
  /// - Parameter damaged: frames that cannot be decoded and lie before the film's end, at most.
  public func warningsAtEnd(damaged: Int) -> [String] {
    report.withLock { [$0.damage?.sentence(atMost: damaged), $0.cut].compactMap(\.self) }
  }

  /// Whether all frames of the clip were delivered, and its end.
  public var isReadToEnd: Bool { delivered.withLock { $0.end } }

  /// The same, and no frame is behind that end: the film is not being recorded, and a recovery finds no more frames.
  public var isReadWhole: Bool { delivered.withLock { $0.all } }

  /// Whether the last frame of the clip was delivered. Any thread.
  public var hasDeliveredLast: Bool { delivered.withLock { $0.last } }

  /// Whether the clip has ended before the end that its header promises, is a film that is not finished, or could be
  /// read no further.
  public var isCutOff: Bool { report.withLock { $0.cut != nil } }

  /// Frames that the first `count` of the clip make if its gaps are filled. Call it before `start`.
  ///
  /// - Parameter longest: the longest gap that is filled, in seconds.
  /// - Returns: `nil` if the file does not list its frames, or lists fewer.
  public func filledFrames(of count: Int, upTo longest: Double) -> Int? {
    reader.filledFrames(from: framesInFront, count: count, longest: longest)
  }

  /// Whether the file's colour tags are those that camrec gives a film of these colours. Any thread.
  package func isTagged(as color: ColorDescription) -> Bool {
    guard let codec, color.range == format.color.range else { return false }
    let own = VideoColorTags(color, codec: codec)
    return own.primaries == colorTags.primaries && own.transfer == colorTags.transfer && own.matrix == colorTags.matrix
  }

  /// What is missing between the frames delivered so far. Any thread.
  package var gaps: ClipGaps { found.withLock { $0 } }

  public func start() throws(CamrecError) { clock.begin() }

  /// - Throws: code `input` if the frames change their size or pixel format, `defect` if the scaler fails.
  public func next() throws(CamrecError) -> CameraEvent {
    if ready == nil { try advance() }
    if let (slot, ticks, time) = ready {
      let instant = instant(ticks)
      guard clock.wait(for: instant) else { return .nothing }
      ready = nil
      found.withLock { $0.read(ticks) }
      // A frame waits for its successor, so the end is known with the last one.
      if end != nil { delivered.withLock { $0.last = true } }
      return .frame(
        CapturedFrame(
          image: .frame(lend(slot)), sequence: count(), captureTime: instant, sourceTime: time))
    }
    if damaged > 0 {
      damaged -= 1
      found.withLock { $0.damage() }
      return .damaged(sequence: count(), captureTime: instant(damagedTicks ?? account.end))
    }
    if let change { throw change }
    guard let end else { return .nothing }
    let hasAll = !account.mayHaveMore
    delivered.withLock { $0 = (last: true, end: true, all: hasAll) }
    return .ended(end)
  }

  public func stop() {
    if end == nil, change == nil { say(account.damage) }
  }

  /// Decodes until a frame is ready, something is damaged or the clip ends; gives up after 100 ms without a slot.
  private func advance() throws(CamrecError) {
    while ready == nil, damaged == 0, end == nil, change == nil {
      guard let slot = slots.take(waitingAtMost: 100) else { return }
      let picture = scaler == nil ? slots.picture(slot) : scratch.pointer
      switch reader.next(into: picture) {
      case .frame where ClipPictureShape(picture) == shape:
        do throws(LibavError) {
          try keep(picture, in: slot)
        } catch {
          throw CamrecError(.defect, "cannot convert a frame of \(name)", cause: error.cause)
        }
        continue
      case .frame:
        let other = ClipPictureShape(picture)
        av_frame_unref(picture)
        release { $0.duration }
        change = account.change(from: shape, to: other)
        say(account.damage)
      case .damaged(let ticks):
        damaged = 1
        damagedTicks = ticks
        release { $0.duration }
        account.readDamaged(at: ticks, duration: ticksPerFrame)
      case .end:
        end = .finished
        let isWhole = reader.isWhole
        release { account.lastDuration(ticks: $0.ticks, duration: $0.duration, isWhole: isWhole) }
        let cut = account.cutSentence(frameDuration: ticksPerFrame, failure: reader.failure, isWhole: isWhole)
        say(account.damage, cut: cut)
      }
      slots.giveBack(slot)
    }
  }

  /// Holds the frame in `picture` until its successor comes; makes the frame held so far ready.
  private func keep(_ picture: UnsafeMutablePointer<AVFrame>, in slot: Int) throws(LibavError) {
    if let scaler {
      try scaler.convert(picture, into: slots.picture(slot))
    } else if picture != slots.picture(slot) {
      av_frame_move_ref(slots.picture(slot), picture)
    }
    let picture = scaler == nil ? slots.picture(slot) : scratch.pointer
    let duration = CFFmpeg_frameDuration(picture)
    let next = held.map { $0.ticks.addingSaturated($0.duration) } ?? account.end
    let ticks = ClipReader.time(of: picture) ?? next
    let new = Held(
      slot: slot, ticks: ticks, duration: duration > 0 ? duration : ticksPerFrame, time: grid.time(of: ticks))
    if scaler != nil { av_frame_unref(scratch.pointer) }
    release(until: new.time) { new.ticks.subtractingSaturated($0.ticks) }
    held = new
  }

  /// Makes the held frame ready, if there is one.
  ///
  /// - Parameters:
  ///   - end: the time of the frame behind it; `nil` if there is none.
  ///   - duration: how long it lasts, in the file's ticks; at least one.
  private func release(until end: Int64? = nil, _ duration: (Held) -> Int64) {
    guard let picture = held else { return }
    let ticks = max(1, duration(picture))
    let exact = end?.subtractingSaturated(picture.time) ?? grid.duration(of: ticks)
    ready = (picture.slot, picture.ticks, SourceTime(ticks: picture.time, duration: max(1, exact)))
    held = nil
    account.read(ticks: picture.ticks, duration: ticks)
  }

  private func lend(_ slot: Int) -> Frame {
    if !frameFormat.hasStrides(of: slots.picture(slot)) {
      frameFormat = FrameFormat(slots.picture(slot), layout: layout, color: format.color)
    }
    return slots.lend(slot, format: frameFormat)
  }

  private func count() -> UInt64 {
    defer { sequence += 1 }
    return sequence
  }

  private func instant(_ ticks: Int64) -> MonotonicTime { clock.instant(of: nanosecondsPerTick.scaling(ticks)) }

  private func say(_ damage: ClipDamage?, cut: String? = nil) {
    report.withLock { $0 = (damage, cut) }
  }
}
