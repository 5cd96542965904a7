public import Audio
import CFFmpeg
import Foundation
public import Frames
public import Movies

/// Encodes pictures and writes a .mov or .mkv file.
///
/// A live .mov is written in fragments of at most a quarter of a second, each in the file as soon as it is complete:
/// after a kill at any moment the file plays up to `lossBoundSeconds` before it. `finish` turns it into an ordinary
/// indexed file. Frames are lent to the encoder, not copied; each goes back to its owner when the encoder needs it no
/// longer.
///
/// Thread: one at a time; `bytesWritten` from any.
///
/// `@unchecked Sendable`: mutable state is touched only by calls of `MovieSink`, which come one at a time.
public final class MovieWriter: MovieSink, @unchecked Sendable {
  /// The settings that this movie was opened with.
  public let settings: MovieSettings
  /// The encoder that was chosen.
  public let encoderName: String
  /// Seconds of the newest pictures that a kill may cost, counted from `write` to the file: frames inside the encoder,
  /// one held until its duration is known, and the fragment. `nil` where the encoder's delay is not known, and for what
  /// is not live. (`check` counts from the capture.)
  public let lossBoundSeconds: Double?

  private let file: MovieFile
  /// Gone once the movie is finished, and with it every frame that it kept.
  private var encoder: VideoEncoder?
  private let muxer: MovieMuxer
  private let sound: MovieSound?
  private let timeline: MovieTimeline
  private var decodingTimes = DecodingTimes()
  private let fragmented: Bool
  private var fragment: MovieFragment?
  private var lastTime: Int64?
  private var failure: CamrecError?
  /// Frames that a player finds in the file after a failure.
  private var wholeFrames: Int64 = 0
  private var report: MovieReport?
  private var warnings: [String] = []

  /// Creates the file and opens the encoder. Nothing is left behind when it throws.
  ///
  /// - Parameter settings: container `mov` or `mkv`; `format.layout` as `acceptedLayout` says.
  /// - Throws: `CamrecError` of code `usage` for settings that the encoder does not take, `output` for a file that
  ///   cannot be created, `defect` otherwise.
  public static func open(_ settings: MovieSettings) throws(CamrecError) -> MovieWriter {
    try MovieWriter(settings)
  }

  /// The pixel layout that the encoder of `encoding` is fed with where frames arrive as `input`.
  ///
  /// - Throws: `CamrecError` of code `usage`: no such encoder or profile.
  public static func acceptedLayout(
    for encoding: VideoEncoding, container: Container, input: PixelLayout
  ) throws(CamrecError) -> PixelLayout {
    // Hashes are of what an encoder would get; they need none.
    if container == .framemd5 { return try EncoderChoice.layouts(for: encoding, input: input)[0] }
    return try EncoderChoice(encoding, input: input).layout
  }

  private init(_ settings: MovieSettings) throws(CamrecError) {
    LibavLog.silence()
    guard settings.container != .framemd5 else {
      throw CamrecError(.defect, "'\(settings.path)' is for hashes of frames, which FrameHashWriter writes")
    }
    try settings.checkTimes()
    let encoder = try VideoEncoder(settings)
    let fragmented = settings.isLive && settings.container == .mov
    let file = try MovieFile(path: settings.path, overwrite: settings.overwrite)
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
        .output, "'\(settings.path)' cannot be started as a \(settings.container.rawValue) file", cause: error.cause)
    }
    self.settings = settings
    self.file = file
    self.encoder = encoder
    encoderName = encoder.name
    self.fragmented = fragmented
    // Clusters of a .mkv can be written through at no cost, so they always are.
    fragment = fragmented || settings.container == .mkv ? MovieFragment(settings) : nil
    lossBoundSeconds =
      settings.isLive
      ? EncoderOptions.lossBound(heldFrames: encoder.heldFrames, rate: settings.frameRate, framesBefore: 0) : nil
    warnings = settings.unstoredWarnings
  }

  public var bytesWritten: Int64 { file.size }

  public func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    try checkOpen()
    try settings.check(frame.format, at: time, after: lastTime)
    guard time < latestEnd else {
      // `finish` closes the file with what it has.
      throw CamrecError(
        .output,
        "'\(settings.path)' is full: a .mov with a timecode lasts \(settings.hoursIndexed) at most; a .mkv takes more")
    }
    do throws(LibavError) {
      try encoder?.send(frame, at: time)
      lastTime = time
      timeline.add(pictureAt: time)
      decodingTimes.add(pictureAt: time)
      try storePackets()
    } catch {
      throw fail(error)
    }
  }

  public func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {
    try checkOpen()
    guard let store = self.sound, sound.format == settings.audio else {
      throw CamrecError(.defect, "sound came to a movie that was opened for other sound or none")
    }
    do throws(LibavError) {
      try store.store(sound, in: muxer)
      fragment?.add(samples: sound.count)
      try flushFragmentIfDue()
    } catch {
      throw fail(error)
    }
  }

  public func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    if let report { return report }
    if failure == nil, timeline.firstTime != nil {
      do throws(LibavError) {
        timeline.end(at: min(endTime, latestEnd))
        try encoder?.end()
        try storePackets()
        if let packet = timeline.last() { try store(packet) }
        if fragment != nil { try flushFragment() }
        try muxer.end()
      } catch {
        // What could not be stored any more is a failure to be told; a second call reports what is in the file.
        throw fail(error)
      }
    }
    return close(endTime: endTime)
  }

  /// Where the file has to end, in ticks.
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
      if let packet = timeline.advance() { try store(packet) }
    }
  }

  private func store(_ packet: UnsafeMutablePointer<AVPacket>) throws(LibavError) {
    let (time, duration) = (packet.pointee.pts, packet.pointee.duration)
    try muxer.writePicture(packet)
    av_packet_unref(packet)
    let owes = timeline.store(pictureAt: time)
    fragment?.add(pictureTicks: duration, owes: owes)
    try flushFragmentIfDue()
  }

  private func flushFragmentIfDue() throws(LibavError) {
    if let fragment, fragment.isDue { try flushFragment() }
  }

  private func flushFragment() throws(LibavError) {
    try muxer.flush()
    fragment?.flushed(size: file.size, frames: timeline.stored)
  }

  // MARK: Failing and closing

  private func checkOpen() throws(CamrecError) {
    if let failure { throw failure }
    if report != nil { throw CamrecError(.defect, "'\(settings.path)' is finished already") }
  }

  /// Leaves what plays in the file and says how much that is.
  private func fail(_ error: LibavError) -> CamrecError {
    if let failure { return failure }
    let told: CamrecError
    if file.failure != 0 {
      // Back to the last whole fragment; without fragments there is no index, and nothing plays.
      wholeFrames = fragment?.safeFrames ?? 0
      if let fragment { file.truncate(to: fragment.safeSize) }
      told = outputFailure(error)
    } else {
      wholeFrames = keepWhatWasEncoded() ? timeline.stored : fragment?.safeFrames ?? 0
      told = CamrecError(
        .defect, "\(encoderName) or the writer of '\(settings.path)' failed after \(timeline.stored) frames",
        cause: error.cause)
    }
    failure = told
    return told
  }

  /// The disk is sound and the encoder is not: ends the file with the packets that came.
  private func keepWhatWasEncoded() -> Bool {
    do throws(LibavError) {
      if fragment != nil { try flushFragment() }
      try muxer.end()
      return true
    } catch {
      return false
    }
  }

  private var storedFrames: Int64 { failure == nil ? timeline.stored : wholeFrames }

  private func outputFailure(_ error: LibavError) -> CamrecError {
    let what =
      switch file.failure {
      case ENOSPC: "the disk of '\(settings.path)' is full"
      case EDQUOT: "the disk quota for '\(settings.path)' is used up"
      case EFBIG: "'\(settings.path)' is as large as the system lets a file become"
      default: "'\(settings.path)' cannot be written any further"
      }
    let seconds = Double(wholeFrames) / settings.frameRate.framesPerSecond
    let kept =
      wholeFrames == 0
      ? "without its index it does not play and is not kept"
      : "it plays, with \(wholeFrames) frames (\(String(format: "%.1f", seconds)) s, \(ByteCount(file.size)))"
    let free = MovieFile.freeSpace(beside: settings.path).map { "; \(ByteCount($0)) are free there" } ?? ""
    return CamrecError(.output, "\(what); \(kept)\(free)", cause: error.cause)
  }

  private func close(endTime: Int64) -> MovieReport {
    encoder = nil
    guard storedFrames > 0, let firstTime = timeline.firstTime else {
      file.discard()
      return finished(bytes: 0, frames: 0, warning: "no frame was stored; '\(settings.path)' was not kept")
    }
    guard failure == nil else {
      return finished(
        bytes: file.size, frames: storedFrames,
        warning: "'\(settings.path)' ends early, after \(storedFrames) frames; it plays")
    }
    guard fragmented else {
      do {
        try file.synchronize()
      } catch {
        return finished(
          bytes: file.size, frames: storedFrames,
          warning: "the system does not confirm that '\(settings.path)' is on the disk (\(error.cause))")
      }
      return finished(bytes: file.size, frames: storedFrames, warning: nil)
    }
    let index = MovieIndex(
      settings: settings, encoder: encoderName, firstTime: firstTime, lastTime: timeline.lastTime, endTime: endTime)
    do {
      return finished(bytes: try index.rewrite(size: file.size), frames: storedFrames, warning: nil)
    } catch {
      return finished(bytes: file.size, frames: storedFrames, warning: error.description)
    }
  }

  private func finished(bytes: Int64, frames: Int64, warning: String?) -> MovieReport {
    if let warning { warnings.append(warning) }
    let report = MovieReport(path: settings.path, bytes: bytes, frames: frames, warnings: warnings)
    self.report = report
    return report
  }
}
