public import Audio
import CFFmpeg
public import Frames
import Glibc
public import Movies

/// Writes the MD5 of every frame, in the pixel layout that an encoder would get, as FFmpeg's framemd5 format: one line
/// with stream, decoding time, presentation time, duration, size and hash per picture. Sound is not taken.
///
/// The hashes are those of `ffmpeg -f framemd5` for the same samples. Times count in `MovieSettings.timeBase`.
///
/// Thread: one at a time; `bytesWritten` from any.
///
/// `@unchecked Sendable`: mutable state is touched only by calls of `MovieSink`, which come one at a time.
public final class FrameHashWriter: MovieSink, @unchecked Sendable {
  private let settings: MovieSettings
  private let file: MovieFile
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  /// The newest picture, packed; its line is written when its duration is known.
  private let samples: UnsafeMutableRawBufferPointer
  private var heldTime: Int64?
  private var written: Int64 = 0
  private var wholeSize: Int64 = 0
  private var failure: CamrecError?
  private var report: MovieReport?

  /// Creates the file. Nothing is left behind when it throws.
  ///
  /// - Throws: `CamrecError` of code `output` for a file that cannot be created.
  public static func open(_ settings: MovieSettings) throws(CamrecError) -> FrameHashWriter {
    LibavLog.silence()
    try settings.checkTimes()
    let file = try MovieFile(path: settings.path, overwrite: settings.overwrite)
    do {
      return try FrameHashWriter(settings, file)
    } catch {
      file.discard()
      throw CamrecError(.output, "'\(settings.path)' cannot be started as a framemd5 file", cause: error.cause)
    }
  }

  private init(_ settings: MovieSettings, _ file: MovieFile) throws(LibavError) {
    self.settings = settings
    self.file = file
    var created: UnsafeMutablePointer<AVFormatContext>?
    try LibavCall.check(
      avformat_alloc_output_context2(&created, nil, "framemd5", nil), "avformat_alloc_output_context2")
    context = try LibavCall.unwrap(created, "avformat_alloc_output_context2")
    guard let packet = av_packet_alloc() else {
      avformat_free_context(context)
      throw LibavError(function: "av_packet_alloc", code: CFFmpeg_error(ENOMEM))
    }
    self.packet = packet
    let layout = settings.format.layout
    var size = 0
    for plane in 0..<layout.planeCount {
      size +=
        layout.rowBytes(plane: plane, width: settings.format.width)
        * layout.rows(plane: plane, height: settings.format.height)
    }
    samples = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    // From here on everything is freed by deinit.
    try FrameHashWriter.start(settings, file, context)
    wholeSize = file.size
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
    samples.deallocate()
    context.pointee.pb = nil
    avformat_free_context(context)
  }

  private static func start(
    _ settings: MovieSettings, _ file: MovieFile, _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(LibavError) {
    context.pointee.pb = file.output
    // Without the library's version in the header, goldens outlive an upgrade.
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    let stream = try LibavCall.unwrap(avformat_new_stream(context, nil), "avformat_new_stream")
    stream.pointee.time_base = AVRational(settings.timeBase)
    if let parameters = stream.pointee.codecpar {
      parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
      parameters.pointee.codec_id = AV_CODEC_ID_RAWVIDEO
      parameters.pointee.format = settings.format.layout.libavFormat.rawValue
      parameters.pointee.width = Int32(settings.format.width)
      parameters.pointee.height = Int32(settings.format.height)
    }
    try LibavCall.check(avformat_write_header(context, nil), "avformat_write_header")
    avio_flush(file.output)
    if let failure = file.failure { throw LibavError(failure) }
  }

  public var bytesWritten: Int64 { file.length }
  public var disk: DiskStatus { file.disk }

  public func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) { try hash(frame, at: time) }

  /// As `write`, of a picture that goes elsewhere.
  public func hash(_ frame: borrowing Frame, at time: Int64) throws(CamrecError) {
    try checkOpen()
    try settings.check(frame.format, at: time, after: heldTime)
    try storeHeld(until: time)
    pack(frame)
    heldTime = time
  }

  /// Sound has no place in the file.
  public func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try checkOpen() }

  public func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    if let report { return report }
    if failure == nil {
      try storeHeld(until: max(endTime, (heldTime ?? 0) + 1))
      heldTime = nil
    }
    var warnings: [String] = []
    if written == 0 {
      file.discard()
      warnings.append("no frame was stored; '\(settings.path)' was not kept")
    } else if failure != nil {
      warnings.append("'\(settings.path)' ends early, after \(written) frames")
    }
    let report = MovieReport(
      path: settings.path, bytes: written == 0 ? 0 : file.size, frames: written, warnings: warnings)
    self.report = report
    return report
  }

  private func checkOpen() throws(CamrecError) {
    if let failure { throw failure }
    if report != nil { throw CamrecError(.defect, "'\(settings.path)' is finished already") }
  }

  /// Writes the line of the picture that is held, which lasts until `time`.
  private func storeHeld(until time: Int64) throws(CamrecError) {
    guard let heldTime else { return }
    packet.pointee.data = samples.baseAddress?.assumingMemoryBound(to: UInt8.self)
    packet.pointee.size = Int32(samples.count)
    packet.pointee.pts = heldTime
    packet.pointee.dts = heldTime
    packet.pointee.duration = time - heldTime
    packet.pointee.flags = AV_PKT_FLAG_KEY
    defer {
      packet.pointee.data = nil
      packet.pointee.size = 0
    }
    do throws(LibavError) {
      try LibavCall.check(av_write_frame(context, packet), "av_write_frame")
      avio_flush(file.output)
      if let failure = file.failure { throw LibavError(failure) }
    } catch {
      file.truncate(to: wholeSize)
      let told = CamrecError(
        .output, "'\(settings.path)' cannot be written further; it holds the hashes of \(written) frames",
        cause: error.cause)
      failure = told
      throw told
    }
    written += 1
    wholeSize = file.size
  }

  /// Copies the samples row after row, without the padding between rows.
  private func pack(_ frame: borrowing Frame) {
    let format = frame.format
    var target = 0
    for plane in 0..<format.planeCount {
      let row = format.layout.rowBytes(plane: plane, width: format.width)
      let stride = format.stride(plane: plane)
      let rows = format.layout.rows(plane: plane, height: format.height)
      frame.withPlane(plane) { bytes in
        for y in 0..<rows {
          UnsafeMutableRawBufferPointer(rebasing: samples[target..<(target + row)])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(y * stride)..<(y * stride + row)]))
          target += row
        }
      }
    }
  }
}
