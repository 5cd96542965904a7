public import Audio
import CFFmpeg
import Foundation
public import Frames
import MovieBoxes
public import Movies
public import RecorderAPI
import Synchronization

/// Encodes frames and writes a .mov or .mkv file.
///
/// A live .mov is written in fragments. As soon as a fragment is complete, a thread writes and synchronises it
/// (`DiskWriter`). After a kill, a crash or a power cut at any moment, the file plays up to `lossBoundSeconds` before
/// that moment, as long as the encoder keeps up; if the disk was taking nothing, up to that much before it stopped. In
/// any case it plays up to `confirmedEnd`. A .mov that is not live and has to stay playable is in fragments too,
/// written straight to the system. `finish` turns the file into an ordinary indexed one. Frames are lent to the
/// encoder, not copied; each goes back to its owner when the encoder no longer needs it.
///
/// Thread: one at a time; `bytesWritten`, `disk`, `confirmedEnd`, `lossBound` and `isHeldUp` from any.
///
/// `@unchecked Sendable`: mutable state is touched only by calls of `MovieSink`, which come one at a time.
public final class MovieWriter: MovieSink, @unchecked Sendable {
  /// The settings that this film was opened with.
  public let settings: MovieSettings
  /// The encoder that was chosen.
  public let encoderName: String
  /// Seconds of the newest frames that a power cut may cost, counted from `write` to the medium: frames inside the
  /// encoder, one held until its duration is known, the fragment, and its way to the medium. `nil` if the encoder's
  /// delay is unknown, and for a film that is not live. (`lossBound` and `check` count from the capture.)
  public var lossBoundSeconds: Double? {
    lossBound.map { $0 - Double(settings.framesBefore) * settings.frameRate.frameDuration.doubleValue }
  }
  public let lossBound: Double?

  private let file: MovieFile
  /// Set for a film that is not in fragments: its one table may be large.
  private let memory: LibavMemory.Lift?
  /// Gone, with every frame that it holds, once the film is finished.
  private var encoder: VideoEncoder?
  private let muxer: MovieMuxer
  private let sound: MovieSound?
  private let timeline: MovieTimeline
  private var decodingTimes = DecodingTimes()
  private let fragmented: Bool
  private var fragment: MovieFragment?
  /// The pre-roll that the film begins with, until all of it is stored; what comes meanwhile waits behind it.
  private var roll: PacketRoll?
  /// Where the film begins on the encoder's clock, and among the samples of `roll`.
  private var start: Int64 = 0
  private var startSample: Int64 = 0
  /// The earliest decoding time that the next packet may have.
  private var leastDecodingTime: Int64?
  private var newestDecodingTime: Int64?
  /// Set for a .mov in fragments.
  private let ending: MovieEnding?
  private var lastTime: Int64?
  private var failure: CamrecError?
  /// What a player finds in the file after a failure; in one that is not kept, what was stored in it.
  private var whole = DiskMark()
  /// The timeline's count of stored frames, for other threads.
  private let storedPictures = Atomic<Int64>(0)
  private var report: MovieReport?
  private var warnings: [String] = []
  /// Chapters given so far.
  private var chapterCount = 0

  /// Creates the file and opens the encoder. Nothing is left behind when it throws.
  ///
  /// - Parameter settings: container `mov` or `mkv`; `format.layout` as `acceptedLayout` says.
  /// - Throws: `CamrecError` of code `usage` for settings that the encoder refuses, `output` for a file that cannot be
  ///   created, `defect` otherwise.
  public static func open(_ settings: MovieSettings) throws(CamrecError) -> MovieWriter {
    try open(settings) { $0 }
  }

  /// - Parameters:
  ///   - room: the buffer in front of the disk.
  ///   - port: wraps the port of the file.
  package static func open(
    _ settings: MovieSettings, room: DiskRoom? = nil, port: (any FilePort) -> any FilePort
  ) throws(CamrecError) -> MovieWriter {
    try prepare(settings, room ?? DiskRoom(settings), port).begin()
  }

  /// Does everything in `open` that takes time: creates the file and opens the encoder. Nothing is left behind when it
  /// throws.
  ///
  /// - Throws: as `open`.
  public static func prepare(_ settings: MovieSettings) throws(CamrecError) -> PreparedMovie {
    try prepare(settings, DiskRoom(settings)) { $0 }
  }

  /// Creates the file of a film that begins with what `roll` keeps; call `roll.begins` before the film begins.
  ///
  /// - Throws: as `open`.
  public static func prepare(
    _ settings: MovieSettings, behind roll: EncodedPreRoll
  ) throws(CamrecError) -> PreparedMovie {
    try prepare(settings, .preRoll(roll), DiskRoom(settings)) { $0 }
  }

  private static func prepare(
    _ settings: MovieSettings, _ room: DiskRoom, _ port: (any FilePort) -> any FilePort
  ) throws(CamrecError) -> PreparedMovie {
    LibavLog.silence()
    guard settings.container != .framemd5 else {
      throw CamrecError(.defect, "'\(settings.shownPath)' is a hash recording, which FrameHashWriter writes")
    }
    try settings.checkTimes()
    return try prepare(settings, .encoder(try VideoEncoder(settings)), room, port)
  }

  private static func prepare(
    _ settings: MovieSettings, _ source: PreparedMovie.Source, _ room: DiskRoom, _ port: (any FilePort) -> any FilePort
  ) throws(CamrecError) -> PreparedMovie {
    let created = try MovieFile.create(settings.path, overwrite: settings.overwrite)
    let isFragmented = settings.isFragmented
    // A disk that refuses this reports it when the film begins.
    let mark = PreparedMark.bytes
    if isFragmented { _ = try? created.write(mark.span.bytes, at: 0) }
    let port = port(created)
    let ending = isFragmented ? MovieEnding(port, isOfRig: settings.isOfRig) : nil
    let bound = EncoderOptions.lossBound(settings, heldFrames: source.heldFrames)
    let buffer = MovieFile.Buffer(
      room: room, allowance: LossBudget(settings.lossLimit).allowance(ofBound: bound),
      isConfirmed: { ending?.advance(to: $0) })
    let file = try MovieFile(port, path: settings.path, buffer: settings.isLive ? buffer : nil)
    return PreparedMovie(settings, source, file, ending)
  }

  /// The pixel layout that the encoder of `encoding` gets if frames arrive as `input`.
  ///
  /// - Throws: `CamrecError` of code `usage`: no such encoder or profile.
  public static func acceptedLayout(
    for encoding: VideoEncoding, container: Container, input: PixelLayout
  ) throws(CamrecError) -> PixelLayout {
    // Hashes are taken of what an encoder would get, but need no encoder.
    if container == .framemd5 { return try EncoderChoice.layouts(for: encoding, input: input)[0] }
    return try EncoderChoice(encoding, input: input).layout
  }

  /// Whether `encoding` keeps 4:4:4, so that a 4:4:4 clip should be opened with all its chroma.
  ///
  /// - Throws: `CamrecError` of code `usage`: no such profile.
  public static func keepsFullChroma(_ encoding: VideoEncoding) throws(CamrecError) -> Bool {
    try EncoderChoice.layouts(for: encoding, input: .yuv444p10)[0].chroma == .yuv444
  }

  /// - Parameters:
  ///   - ending: for a .mov in fragments.
  ///   - before: the pre-roll that the film begins with, as made by `encoder`.
  init(
    _ settings: MovieSettings, _ encoder: VideoEncoder, _ file: MovieFile, _ ending: MovieEnding?,
    behind before: EncodedPreRoll.Rest? = nil
  ) throws(CamrecError) {
    let fragmented = ending != nil
    memory = fragmented ? nil : LibavMemory.process.lift()
    do {
      var parameters = avcodec_parameters_alloc()
      defer { avcodec_parameters_free(&parameters) }
      let picture = try LibavCall.unwrap(parameters, "avcodec_parameters_alloc")
      try LibavCall.check(avcodec_parameters_from_context(picture, encoder.context), "avcodec_parameters_from_context")
      muxer = try MovieMuxer(settings, file: file, picture: picture, encoder: encoder.name, fragmented: fragmented)
      sound = if let format = settings.audio { try MovieSound(format) } else { nil }
      timeline = try MovieTimeline(fragmented: fragmented)
    } catch {
      file.discard()
      throw CamrecError(
        .output, "cannot start '\(settings.shownPath)' as a \(settings.container.rawValue) file",
        cause: error.cause)
    }
    self.settings = settings
    self.file = file
    self.encoder = encoder
    encoderName = encoder.name
    self.fragmented = fragmented
    self.ending = ending
    // Clusters of a .mkv can be written through at no cost, so they always are.
    fragment = fragmented || settings.container == .mkv ? MovieFragment(settings) : nil
    lossBound = settings.isLive ? EncoderOptions.lossBound(settings, heldFrames: encoder.heldFrames) : nil
    warnings = settings.unstoredWarnings
    guard let before else { return }
    roll = before.roll
    start = before.start
    startSample = before.startSample
    decodingTimes = before.decodingTimes
    // Times from before the film begins may be followed by a gap; the film has to be decoded as if there were none.
    leastDecodingTime = before.decodingTimes.delay.map { -$0 }
    for time in before.times { timeline.add(pictureAt: time - start) }
    lastTime = before.times.last.map { $0 - start }
  }

  public private(set) var fault: OutputFault?
  public var bytesWritten: Int64 { file.length }
  public var disk: DiskStatus { file.disk }
  public var confirmedEnd: Int64? { file.confirmedEnd }
  public var path: String { file.path }
  private var shownPath: String { PartialFilmName.shown(path) }
  public var place: FilePlace { file.place }
  public func look() -> FilePlace { file.look() }
  public func copy(to path: String, room: () -> Int64?) throws(CamrecError) { try file.copy(to: path, room: room) }
  public var descriptorPath: String? { file.descriptorPath }
  public var closingBytes: Int64 { Int64(disk.waitingBytes) + (ending?.indexBytes ?? cueBytes) }
  public func isHeldUp(since instant: MonotonicTime) -> Bool { file.isHeldUp(since: instant) }

  public func mark(_ text: String, at seconds: Double) {
    chapterCount += 1
    let chapter = MovieChapter(seconds: seconds, title: text)
    if let ending { ending.add(chapter) } else { muxer.chapters.append(chapter) }
  }

  public func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    beginUse()
    defer { endUse() }
    try checkOpen()
    try settings.check(frame.format, at: time, after: lastTime)
    guard time < latestEnd else {
      // `finish` closes the file with what it has.
      throw CamrecError(
        .output,
        "'\(shownPath)' is full: a .mov with a timecode lasts \(settings.hoursIndexed) at most; a .mkv can last longer")
    }
    do throws(LibavError) {
      if let failure = file.failure { throw LibavError(failure) }
      try encoder?.send(frame, at: start + time)
      try sent(at: time)
    } catch {
      throw fail(error)
    }
  }

  public func repeatFrame(at time: Int64) throws(CamrecError) {
    beginUse()
    defer { endUse() }
    try checkOpen()
    guard let lastTime, time > lastTime, time < latestEnd else { return }
    do throws(LibavError) {
      if let failure = file.failure { throw LibavError(failure) }
      try encoder?.sendAgain(at: start + time)
      try sent(at: time)
    } catch {
      throw fail(error)
    }
  }

  private func sent(at time: Int64) throws(LibavError) {
    lastTime = time
    timeline.add(pictureAt: time)
    decodingTimes.add(pictureAt: start + time)
    try storePackets()
  }

  public func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {
    beginUse()
    defer { endUse() }
    try checkOpen()
    guard let store = self.sound, sound.format == settings.audio else {
      throw CamrecError(.defect, "a film was given audio that it was not opened for")
    }
    do throws(LibavError) {
      guard roll == nil else {
        return try store.withStored(sound) { (bytes) throws(LibavError) in try follow(bytes) }
      }
      try store.store(sound, in: muxer)
      fragment?.add(samples: sound.count)
      try flushFragmentIfDue()
    } catch {
      throw fail(error)
    }
  }

  public func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    if let report { return report }
    beginUse()
    defer { endUse() }
    if failure == nil, timeline.firstTime != nil {
      do throws(LibavError) {
        timeline.end(at: min(endTime, latestEnd))
        try storeRoll(all: true)
        try encoder?.end()
        try storePackets()
        if let packet = timeline.last() { try store(packet) }
        if fragment != nil { try flushFragment() }
        try muxer.end(at: Double(min(endTime, latestEnd)) * settings.timeBase.doubleValue)
        try file.drain()
      } catch {
        // Report what could not be stored any more as a failure; a second call reports what is in the file.
        throw fail(error)
      }
    }
    return close()
  }

  /// Waits for clips that are being opened in this process, whose memory is limited; a live recording never waits.
  private func beginUse() { if !settings.isLive { memory?.beginUse() } }
  private func endUse() { if !settings.isLive { memory?.endUse() } }

  /// A .mkv's cues, for every second frame at most; a film that is not live has its table at the end as well.
  private var cueBytes: Int64 { 16 * storedPictures.load(ordering: .relaxed) }

  /// The latest time at which the file may end, in ticks.
  private var latestEnd: Int64 {
    guard !fragmented, let first = timeline.firstTime else { return .max }
    return first.addingReportingOverflow(settings.longestIndexed).overflow ? .max : first + settings.longestIndexed
  }

  // MARK: Storing

  /// Takes packets out of the encoder until it wants more frames.
  private func storePackets() throws(LibavError) {
    while let encoder, try encoder.receive(timeline.incoming) {
      let packet = timeline.incoming
      packet.pointee.dts = decodingTimes.settle(packet.pointee.dts)
      if roll != nil { try follow() } else { try storeIncoming() }
    }
    try storeRoll(all: false)
  }

  /// Stores the packet that is in `timeline.incoming`, with times of the encoder's clock.
  private func storeIncoming() throws(LibavError) {
    let packet = timeline.incoming
    packet.pointee.pts -= start
    packet.pointee.dts -= start
    if let least = leastDecodingTime {
      packet.pointee.dts = max(packet.pointee.dts, least)
      // Up to the time of the first frame they are a frame apart, as if there were no gap.
      let next = packet.pointee.dts + max(1, settings.timeBase.inverse.scaling(settings.frameRate.frameDuration))
      leastDecodingTime = next <= 0 ? next : packet.pointee.dts + 1
    }
    if let packet = timeline.advance() { try store(packet) }
  }

  private func store(_ packet: UnsafeMutablePointer<AVPacket>) throws(LibavError) {
    let time = packet.pointee.pts
    // In a .mkv only the last packet has its duration.
    let since = newestDecodingTime.map { packet.pointee.dts - $0 } ?? 1
    let ticks = fragmented ? packet.pointee.duration : max(1, since)
    newestDecodingTime = packet.pointee.dts
    try muxer.writePicture(packet)
    av_packet_unref(packet)
    let owes = timeline.store(pictureAt: time)
    storedPictures.store(timeline.stored, ordering: .relaxed)
    fragment?.add(pictureTicks: ticks, owes: owes)
    try flushFragmentIfDue()
  }

  private func flushFragmentIfDue() throws(LibavError) {
    if let fragment, fragment.isDue { try flushFragment() }
  }

  private func flushFragment() throws(LibavError) {
    try muxer.flush()
    fragment?.flushed()
    try file.mark(stored)
    // No thread of a disk confirms what is written straight to the system.
    if !settings.isLive { ending?.advance(to: file.length) }
  }

  // MARK: The pre-roll

  /// Bytes to store at a time, so that new frames do not wait long.
  private static let piece = 1 << 24

  /// Puts the packet in `timeline.incoming` behind what waits.
  private func follow() throws(LibavError) {
    guard let roll, !roll.append(timeline.incoming) else { return av_packet_unref(timeline.incoming) }
    // No room: what is in front of it has to be stored first.
    let waiting = try LibavPacket()
    av_packet_move_ref(waiting.pointer, timeline.incoming)
    while let roll = self.roll, !roll.append(waiting.pointer) { try storeFirst() }
    guard self.roll == nil else { return }
    av_packet_move_ref(timeline.incoming, waiting.pointer)
    try storeIncoming()
  }

  private func follow(_ bytes: UnsafeRawBufferPointer) throws(LibavError) {
    // All of it belongs to the film, wherever it lies.
    while let roll, !roll.append(bytes, sample: startSample) { try storeFirst() }
    if roll == nil { try sound?.store(stored: bytes, in: muxer) }
  }

  /// Stores what waits, as far as the disk takes it.
  private func storeRoll(all: Bool) throws(LibavError) {
    guard let bytes = roll?.bytes else { return }
    while let roll, all || bytes - roll.bytes < MovieWriter.piece {
      let disk = file.disk
      guard all || disk.capacityBytes == 0 || disk.waitingBytes < disk.capacityBytes / 2 else { return }
      try storeFirst()
    }
  }

  private func storeFirst() throws(LibavError) {
    switch roll?.first {
    case .picture?:
      try roll?.takePicture(into: timeline.incoming)
      try storeIncoming()
    case .sound?:
      try roll?.takeSound(from: startSample) { (bytes) throws(LibavError) in
        let before = sound?.count ?? 0
        try sound?.store(stored: bytes, in: muxer)
        fragment?.add(samples: Int((sound?.count ?? 0) - before))
      }
      try flushFragmentIfDue()
    case nil: roll = nil
    }
  }

  // MARK: Failing and closing

  private func checkOpen() throws(CamrecError) {
    if let failure { throw failure }
    if report != nil { throw CamrecError(.defect, "'\(shownPath)' is finished already") }
  }

  /// Leaves what plays in the file, if it is to be kept, and says how much that is.
  private func fail(_ error: LibavError) -> CamrecError {
    if let failure { return failure }
    let told: CamrecError
    if let refused = file.failure {
      // Back to the last whole fragment.
      whole = settings.keepsPart ? file.cutBack() : stored
      let fault = outputFault(refused, frames: whole.frames)
      self.fault = fault
      told = fault.error()
    } else {
      if !settings.keepsPart || keepWhatWasEncoded() {
        whole = stored
      } else {
        whole = file.whole
        try? file.synchronize()
      }
      told = CamrecError(
        .defect, "\(encoderName) or the writer of '\(shownPath)' failed after \(timeline.stored) frames",
        cause: error.cause)
    }
    failure = told
    return told
  }

  /// The encoder has failed but the disk has not: ends the file with the packets that came.
  private func keepWhatWasEncoded() -> Bool {
    do throws(LibavError) {
      try storeRoll(all: true)
      if fragment != nil { try flushFragment() }
      try muxer.end()
      try file.drain()
      return true
    } catch {
      return false
    }
  }

  private var stored: DiskMark {
    DiskMark(
      size: file.size, frames: timeline.stored, samples: (sound?.count ?? 0) - muxer.heldSamples,
      end: timeline.storedEnd, shownEnd: timeline.shownEnd)
  }
  private var storedFrames: Int64 { failure == nil ? timeline.stored : whole.frames }
  private var storedSamples: Int64? { sound.map { failure == nil ? $0.count : whole.samples } }

  private func outputFault(_ refused: FileFailure, frames: Int64) -> OutputFault {
    let reason: OutputFault.Reason =
      switch refused.number {
      case _ where refused.losesWhatWasTaken: .unconfirmed
      case ENOSPC: .full
      case EDQUOT: .quota
      case EFBIG: .fileSize
      default: .refused
      }
    let rest: OutputFault.Rest =
      !settings.keepsPart ? .unfinished : frames == 0 ? .nothing : fragmented ? .fragments : .film
    return OutputFault(
      reason, rest, path: path, frames: frames, bytes: file.size, cause: LibavError(refused).cause,
      isLive: settings.isLive, isOfRig: settings.isOfRig)
  }

  private func close() -> MovieReport {
    encoder = nil
    guard failure == nil || settings.keepsPart else {
      file.discard()
      return finished(bytes: 0, frames: storedFrames, isKept: false, warning: nil)
    }
    guard storedFrames > 0 else {
      file.discard()
      return finished(bytes: 0, frames: 0, warning: "no frame was stored; '\(shownPath)' was not kept")
    }
    guard failure == nil else {
      return finished(
        bytes: file.size, frames: storedFrames,
        warning: "'\(shownPath)' ends early, after \(storedFrames) frame\(storedFrames == 1 ? "" : "s"); it plays")
    }
    guard let ending else {
      do {
        try file.synchronize()
      } catch {
        return finished(
          bytes: file.size, frames: storedFrames,
          warning: "the system does not confirm that '\(shownPath)' is on the disk (\(error.cause))")
      }
      return finished(bytes: file.size, frames: storedFrames, warning: nil)
    }
    do {
      let bytes = try ending.finish(file)
      // Those that were known at the start are told of there.
      let isTold = settings.warning(ofChapters: settings.chapters) != nil
      let warning = isTold ? nil : settings.warning(ofChapters: chapterCount)
      return finished(bytes: bytes, frames: storedFrames, warning: warning)
    } catch {
      if let refused = file.failure { fault = outputFault(refused, frames: storedFrames) }
      return finished(bytes: file.size, frames: storedFrames, warning: error.description)
    }
  }

  private func finished(bytes: Int64, frames: Int64, isKept: Bool = true, warning: String?) -> MovieReport {
    if let warning { warnings.append(warning) }
    let report = MovieReport(
      path: path, bytes: bytes, frames: frames, samples: frames > 0 ? storedSamples : sound.map { _ in 0 },
      end: failure == nil ? nil : whole.shownEnd, isKept: isKept, warnings: warnings)
    self.report = report
    return report
  }
}
