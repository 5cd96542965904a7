import Exposure
import Foundation
public import Frames
import Movies
public import Platform
import RecorderAPI

/// Writes a sidecar: the head at once, then records as they come, each as a line that is either complete or not there.
///
/// A frame's values are written when they change, and all of them on every 256th frame, so that a damaged line costs no
/// more than that. Lines go to the disk's thread after a fifth of a second of film at the latest, and with every record
/// other than a frame. If no frame comes, whoever appends calls `handOver` at the time that `due` says. That thread
/// writes and synchronises the lines, and nobody waits for the disk.
///
/// Thread: one at a time. `append` of a frame or a loss allocates nothing once warm.
///
/// `@unchecked Sendable`: every `var` is touched by whoever calls, one thread at a time.
public final class SidecarWriter: @unchecked Sendable {
  /// The file's name, as last found.
  public var path: String { output.path }

  private var output: SidecarStream
  private let rate: FrameRate
  private let ticksPerFrame: Int64
  private let flushTicks: Int64
  private var line = SidecarLine(capacity: 2 * SidecarWriter.mostBuffered)
  private var last: SidecarFrame?
  private var framesSinceFull = 0
  private var flushedAt: Int64 = 0
  /// When to call `handOver` if nothing was appended until then; `nil` while no frame waits.
  public private(set) var due: MonotonicTime?
  private var failure: FileFailure?
  /// The last record was appended.
  package private(set) var hasEnd = false
  /// Whether writing has failed. Nothing more is written then.
  public private(set) var hasFailed = false
  private var hasToldOfStall = false
  private var hasToldOfLoss = false
  private var carried: CarriedRecord?

  /// Bytes that may wait for the file.
  private static let mostBuffered = 1 << 14
  /// Nanoseconds that a frame waits for the next one.
  private static let patience: Int64 = 200_000_000
  /// Frames from one that repeats every value to the next.
  private static let fullEvery = 256

  /// Has the sidecar of the film at `film` created, in place of one that an earlier film of that name has left. If it
  /// cannot be created, that is reported like later failures.
  ///
  /// - Parameters:
  ///   - original: the sidecar of the film that this one is made from; what it says is carried over.
  ///   - offset: the original's time of this film's first frame, in seconds.
  ///   - omitted: warnings of the original that say nothing about this film.
  ///   - isGrowing: whether the original is still being written; asked for when this film ends.
  ///   - reachesEnd: whether this film goes on up to the end of the original's film; asked for when it ends. Frames
  ///     that the original has behind its last one are lost then, not left out.
  ///   - originalContent: what the original's film has, if its sidecar is open; asked for when this film ends, if it
  ///     goes on up to the end of the original's.
  ///   - lostBefore: takes the frames that were lost before this film was made of the original's, when it ends;
  ///     `isAtLeast`: there may be more, in parts of the original that cannot be read.
  ///   - isHeldBack: the file is created when `release` is called.
  /// - Throws: code `input` if the original cannot be read.
  public init(
    film: String, head: SidecarHead, carrying original: SidecarReader? = nil, from offset: Double = 0,
    omitting omitted: Set<String> = [], isGrowing: @escaping @Sendable () -> Bool = { false },
    reachesEnd: @escaping @Sendable () -> Bool = { false },
    originalContent: @escaping @Sendable () -> SidecarSummary.FilmContent? = { nil },
    lostBefore: @escaping @Sendable (_ frames: Int64, _ isAtLeast: Bool) -> Void = { _, _ in },
    isHeldBack: Bool = false
  ) throws(CamrecError) {
    carried =
      if let original {
        try CarriedRecord(
          original, head: head, offset: offset, omitting: omitted, isGrowing: isGrowing,
          reachesEnd: reachesEnd, originalContent: originalContent, lostBefore: lostBefore)
      } else {
        nil
      }
    output = SidecarStream(path: SidecarFile.path(ofFilm: film), isHeldBack: isHeldBack)
    rate = head.frameRate
    ticksPerFrame = head.ticksPerFrame
    flushTicks = head.timeBase.inverse.scaling(1) / 5
    write(head)
    handOver()
  }

  deinit { handOver() }

  /// Lets the sidecar be created. Call this when the film's own name is on the medium, or never will be: creating a
  /// file holds the folder's lock in the kernel, and the film would wait for it if the sidecar does not answer.
  public func release() { output.release() }

  /// Whether the disk has not answered for seconds; what was appended waits for it.
  public var isStalled: Bool { output.isStalled }
  /// The file, for whoever ends the process.
  public var stalledFile: StalledFile { StalledFile(path: path, isStalled: output.stallWatch) }

  /// A warning about a file that was deleted or replaced; given once.
  public func takeLoss() -> String? {
    guard !hasToldOfLoss, output.place == .unlinked else { return nil }
    hasToldOfLoss = true
    return "the sidecar '\(PartialFilmName.shown(path))' was deleted or replaced while it was being written; it gets"
      + " its name back when the film ends"
  }

  /// A warning about a disk that does not answer; given once.
  public func takeStall() -> String? {
    guard !hasToldOfStall, isStalled else { return nil }
    hasToldOfStall = true
    return "the sidecar '\(PartialFilmName.shown(path))' does not answer, and the film does not wait for it; check that"
      + " disk"
  }

  /// Writes a record. After a failure nothing more is written.
  public func append(_ record: SidecarRecord) {
    if case .end = record { hasEnd = true }
    // Take it out meanwhile: otherwise both would be in use at once.
    guard var carried = carried.take() else { return put(record) }
    carried.merge(record) { put($0) }
    self.carried = consume carried
  }

  private func put(_ record: SidecarRecord) {
    guard !hasFailed else { return }
    switch record {
    case .frame(let frame):
      write(frame)
      guard line.bytes.count >= SidecarWriter.mostBuffered || frame.ticks - flushedAt >= flushTicks else {
        if due == nil { due = MonotonicTime.now().advanced(by: SidecarWriter.patience) }
        return
      }
      flushedAt = frame.ticks
    case .frameLoss(let reason, let frame, let count):
      line.begin()
      line.put(.lost, reason.rawValue)
      if let frame { line.put(.frame, frame) }
      line.put(.count, count)
      line.end()
    case .soundLoss(let sample, let count):
      line.begin()
      line.put(.lost, SidecarWriter.sound)
      line.put(.sample, sample)
      line.put(.count, count)
      line.end()
    case .warning(let sentence, let seconds):
      line.begin()
      line.put(.warning, sentence)
      line.put(.seconds, seconds, decimals: 3)
      line.end()
    case .note(let sentence, let seconds):
      line.begin()
      line.put(.note, sentence)
      line.put(.seconds, seconds, decimals: 3)
      line.end()
    case .setting(let name, let value, let seconds):
      line.begin()
      line.put(.setting, name)
      line.put(.value, value)
      line.put(.seconds, seconds, decimals: 3)
      line.end()
    case .repeated(let frame, let count):
      line.begin()
      line.put(.repeated, frame)
      line.put(.count, count)
      line.end()
    case .marker(let text, let seconds):
      line.begin()
      line.put(.marker, text)
      line.put(.seconds, seconds, decimals: 3)
      line.end()
    case .continuation(let film, let seconds, let frames):
      line.begin()
      line.put(.continues, film)
      line.put(.seconds, seconds, decimals: 6)
      line.put(.count, frames)
      line.end()
    case .end(let end):
      write(end)
      flush()
    case .missing, .recovered: SidecarWriter.put(record, in: &line)
    case .other: return
    }
    handOver()
  }

  /// Why nothing more is written; given once.
  ///
  /// - Parameter isFilmOver: the film gets nothing more, though the last record is still to come.
  public func takeFailure(isFilmOver: @autoclosure () -> Bool = false) -> CamrecError? {
    noteFailure()
    guard let problem = failure else { return nil }
    failure = nil
    return refusal(problem, isFilmOver: hasEnd || isFilmOver())
  }

  /// What `lost` says for audio.
  static let sound = "sound"

  /// Waits until all that was appended is on the medium, or the disk has refused it, or does not answer.
  public func flush() {
    output.release()
    handOver()
    output.synchronize()
  }

  /// Call this when the film was renamed: a sidecar that was left behind follows it. Waits for nobody.
  public func follow(from old: String, to new: String) {
    output.follow(from: SidecarFile.path(ofFilm: old), to: SidecarFile.path(ofFilm: new))
  }

  /// Whether the file was found without its name. Waits for the disk, which has answered `flush`.
  public var isElsewhere: Bool { output.isElsewhere }

  /// Puts the sidecar beside a copy of its film, with all that was appended. Waits for the disk.
  ///
  /// - Parameter room: bytes that a copy may use; `nil` if unknown.
  /// - Throws: code `output` if it has no name any more and could not be copied.
  public func settle(besideFilm film: String, room: @escaping @Sendable () -> Int64?) throws(CamrecError) {
    flush()
    let path = SidecarFile.path(ofFilm: film)
    do throws(FileFailure) { try output.settle(at: path, room: room) } catch {
      throw CamrecError(.output, "cannot create '\(path)'", cause: SystemError.words(for: error.number))
    }
  }

  /// The path by which other programs can open the file while it is open here.
  public var descriptorPath: String? { output.descriptorPath }

  /// Hands what waits to the disk's thread. Waits for nobody.
  public func handOver() {
    due = nil
    guard !hasFailed, !line.bytes.isEmpty else { return }
    let isTaken = output.append(line.bytes)
    line.clear()
    guard !isTaken else { return }
    noteFailure()
    guard !hasFailed else { return }
    // The disk has taken nothing for minutes. After the missing lines all values are written again.
    let seconds = Double(flushedAt) / Double(flushTicks) / 5
    line.begin()
    line.put(.warning, "some lines are left out here: the disk did not take them in time")
    line.put(.seconds, seconds, decimals: 3)
    line.end()
    last = nil
  }

  private func noteFailure() {
    guard !hasFailed, let problem = output.failure else { return }
    hasFailed = true
    failure = problem
  }

  private func refusal(_ problem: FileFailure, isFilmOver: Bool) -> CamrecError {
    let cause = SystemError.words(for: problem.number), path = PartialFilmName.shown(path)
    return switch (problem.call.description, problem.number) {
    case (SidecarPort.creation.description, EEXIST):
      CamrecError(.output, "the film has no sidecar: '\(path)' exists but is not a sidecar; move it away")
    case (SidecarPort.creation.description, _):
      CamrecError(.output, "the film has no sidecar: cannot create '\(path)'", cause: cause)
    case _ where isFilmOver: CamrecError(.output, "cannot finish the sidecar '\(path)'; it has no end", cause: cause)
    default:
      CamrecError(.output, "cannot continue writing the sidecar '\(path)'; the film goes on without it", cause: cause)
    }
  }

  // MARK: Records

  private func write(_ frame: SidecarFrame) {
    let isFull = last == nil || framesSinceFull >= SidecarWriter.fullEvery
    framesSinceFull = isFull ? 1 : framesSinceFull + 1
    line.begin()
    line.put(.frame, frame.index)
    if frame.ticks != frame.index &* ticksPerFrame { line.put(.ticks, frame.ticks) }
    let expected = last.map { $0.sequence &+ UInt64(truncatingIfNeeded: frame.index &- $0.index) }
    if isFull || frame.sequence != expected { line.put(.sequence, Int64(clamping: frame.sequence)) }
    let now = frame.exposure, before = isFull ? nil : last?.exposure
    let isTimed = put(.exposureTime, now?.exposureTime, before?.exposureTime, decimals: 9)
    if isTimed, let now {
      line.put(.shutterAngle, ShutterAngle.degrees(ofExposureTime: now.exposureTime, at: rate), decimals: 4)
    }
    _ = put(.iso, now?.iso, before?.iso, decimals: 3)
    _ = put(.gain, now?.gain, before?.gain, decimals: 3)
    _ = put(.gainEV, now?.gainEV, before?.gainEV, decimals: 2)
    let set = frame.controls, setBefore = isFull ? nil : last?.controls
    _ = put(.whiteBalance, set?.whiteBalance, setBefore?.whiteBalance, decimals: 1)
    _ = put(.tint, set?.tint, setBefore?.tint, decimals: 4)
    _ = put(.focusDistance, set?.focusDistance, setBefore?.focusDistance, decimals: 3)
    _ = put(.meteredEV, now?.meteredEV, before?.meteredEV, decimals: 2)
    line.end()
    last = frame
  }

  /// Writes a value that has changed. Returns true if the new value is known.
  private func put(_ key: SidecarKey, _ value: Double?, _ before: Double?, decimals: Int) -> Bool {
    guard value != before else { return false }
    guard let value else {
      line.putNull(key)
      return false
    }
    line.put(key, value, decimals: decimals)
    return true
  }

  private func write(_ head: SidecarHead) {
    line.begin()
    line.put(.sidecar, SidecarFile.version)
    line.put(.software, head.software)
    line.put(.film, head.film)
    line.put(.camera, head.camera)
    line.put(.width, Int64(head.width))
    line.put(.height, Int64(head.height))
    line.put(.pixelFormat, head.pixelFormat)
    line.put(.rate, head.frameRate.description)
    line.put(.timeBase, head.timeBase.description)
    line.put(.colorIn, head.colorIn)
    line.put(.colorOut, head.colorOut)
    if let title = head.lutTitle { line.put(.lut, title) }
    if let hash = head.lutSHA256 { line.put(.lutSHA256, hash) }
    if let look = head.look {
      line.put(.look, look.name)
      line.put(.lookVersion, Int64(look.version))
      line.put(.grainSeed, Int64(clamping: look.seed))
      if let frame = look.frame { line.put(.grainFrame, frame) }
      if let sigma = look.sigma { line.put(.grainSigma, sigma, decimals: 3) }
    }
    line.put(.bakedOn, head.bakedOn ?? "cpu")
    line.put(.codec, head.codec)
    if let microphone = head.microphone { line.put(.microphone, microphone) }
    if let rate = head.sampleRate { line.put(.sampleRate, Int64(rate)) }
    line.put(.start, DateText.text(head.start))
    if let timecode = head.timecode { line.put(.timecode, timecode) }
    if let film = head.bakedFrom { line.put(.bakedFrom, film) }
    if let identity = head.identity {
      line.put(.recordingID, identity.recordingID)
      line.put(.filmID, identity.filmID)
    }
    if let film = head.bakedFromID { line.put(.bakedFromID, film.uuidString.lowercased()) }
    line.end()
  }

  private func write(_ end: SidecarEnd) {
    line.begin()
    line.put(.end, DateText.text(end.date))
    line.put(.expected, end.expected)
    line.put(.captured, end.captured)
    line.put(.written, end.written)
    for reason in LossReason.allCases { line.put(reason.key, end.losses[reason] ?? 0) }
    line.put(.ticks, end.ticks)
    if let frames = end.soundFrames { line.put(.soundFrames, frames) }
    if let lost = end.soundLost { line.put(.soundLost, lost) }
    if let rate = end.ratePartsPerMillion { line.put(.ratePartsPerMillion, rate, decimals: 2) }
    if let failure = end.failure { line.put(.failure, failure) }
    line.end()
  }
}

extension LossReason {
  /// The key of its total in the last record.
  var key: SidecarKey {
    switch self {
    case .deviceGap: .deviceGap
    case .deviceError: .deviceError
    case .overload: .overload
    case .disk: .disk
    case .defect: .defect
    }
  }
}
