public import Audio
import CFFmpeg
import Digest
public import Frames
import Glibc
public import Movies
public import RecorderAPI

/// Writes a hash recording: the MD5 of every frame, in the pixel layout that an encoder would get, in FFmpeg's framemd5
/// format. Each frame has a line with stream, decoding time, presentation time, duration, size and hash. Audio is
/// ignored.
///
/// The hashes and lines are those of `ffmpeg -f framemd5` for the same samples. Times count in
/// `MovieSettings.timeBase`. Several frames may be hashed at a time, which is several times as fast; their lines then
/// come together.
///
/// Thread: one at a time; `bytesWritten` from any.
///
/// `@unchecked Sendable`: mutable state is touched only by calls of `MovieSink`, which come one at a time.
public final class FrameHashWriter: MovieSink, @unchecked Sendable {
  private let settings: MovieSettings
  private let file: MovieFile
  private let context: UnsafeMutablePointer<AVFormatContext>
  /// The newest frames, packed; their lines are written when there are enough of them and the last one's duration is
  /// known.
  private let samples: UnsafeMutableRawBufferPointer
  /// Bytes of a frame.
  private let size: Int
  /// The times of the frames held.
  private var held: [Int64] = []
  private var written: Int64 = 0
  /// Where the newest frame written ends.
  private var writtenEnd: Int64 = 0
  private var wholeSize: Int64 = 0
  private var failure: CamrecError?
  private var report: MovieReport?

  /// The most bytes of frames to hold, if more than one frame is held.
  private static let mostBytes = 64 << 20

  /// Creates the file. Nothing is left behind when it throws.
  ///
  /// - Parameter together: hashes several frames at a time, for a file that is read only when it is finished.
  /// - Throws: `CamrecError` of code `output` for a file that cannot be created.
  public static func open(_ settings: MovieSettings, together: Bool = false) throws(CamrecError) -> FrameHashWriter {
    LibavLog.silence()
    try settings.checkTimes()
    let file = try MovieFile(path: settings.path, overwrite: settings.overwrite)
    do { return try FrameHashWriter(settings, file, together) } catch {
      file.discard()
      throw CamrecError(.output, "cannot start '\(settings.shownPath)' as a framemd5 file", cause: error.cause)
    }
  }

  private init(_ settings: MovieSettings, _ file: MovieFile, _ together: Bool) throws(LibavError) {
    self.settings = settings
    self.file = file
    var created: UnsafeMutablePointer<AVFormatContext>?
    try LibavCall.check(
      avformat_alloc_output_context2(&created, nil, "framemd5", nil), "avformat_alloc_output_context2")
    context = try LibavCall.unwrap(created, "avformat_alloc_output_context2")
    let layout = settings.format.layout
    var size = 0
    for plane in 0..<layout.planeCount {
      size +=
        layout.rowBytes(plane: plane, width: settings.format.width)
        * layout.rows(plane: plane, height: settings.format.height)
    }
    self.size = size
    let count = together ? max(1, min(MD5Lanes.count, FrameHashWriter.mostBytes / size)) : 1
    samples = UnsafeMutableRawBufferPointer.allocate(byteCount: count * size, alignment: 64)
    // From here on everything is freed by deinit.
    try FrameHashWriter.start(settings, file, context)
    wholeSize = file.size
  }

  deinit {
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
  public var path: String { file.path }
  private var shownPath: String { PartialFilmName.shown(path) }
  public var place: FilePlace { file.place }
  public func look() -> FilePlace { file.look() }
  public func copy(to path: String, room: () -> Int64?) throws(CamrecError) { try file.copy(to: path, room: room) }
  public var descriptorPath: String? { file.descriptorPath }

  public func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) { try hash(frame, at: time) }

  /// As `write`, for a frame that goes elsewhere.
  public func hash(_ frame: borrowing Frame, at time: Int64) throws(CamrecError) {
    try checkOpen()
    try settings.check(frame.format, at: time, after: held.last)
    if (held.count + 1) * size > samples.count { try storeHeld(until: time) }
    pack(frame, at: held.count * size)
    held.append(time)
    if settings.isLive { file.lookIfDue() }
  }

  /// The file has no place for audio.
  public func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try checkOpen() }

  public func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    if let report { return report }
    if failure == nil { try storeHeld(until: max(endTime, (held.last ?? 0) + 1)) }
    var warnings: [String] = []
    if written == 0 {
      file.discard()
      warnings.append("no frame was stored; '\(shownPath)' was not kept")
    } else if failure != nil {
      warnings.append("'\(shownPath)' ends early, after \(written) frames")
    }
    let report = MovieReport(
      path: path, bytes: written == 0 ? 0 : file.size, frames: written, end: failure == nil ? nil : writtenEnd,
      warnings: warnings)
    self.report = report
    return report
  }

  private func checkOpen() throws(CamrecError) {
    if let failure { throw failure }
    if report != nil { throw CamrecError(.defect, "'\(shownPath)' is finished already") }
  }

  /// Writes the lines of the frames held; the last frame lasts until `time`.
  private func storeHeld(until time: Int64) throws(CamrecError) {
    guard !held.isEmpty else { return }
    let hashes = hashes()
    for (place, start) in held.enumerated() {
      let end = place + 1 < held.count ? held[place + 1] : time
      try store(FrameHashWriter.line(start, duration: end - start, size: size, hashes[place]))
      writtenEnd = end
    }
    held.removeAll(keepingCapacity: true)
  }

  /// The hashes of the frames held. All lanes together take as long as one, so a few frames are hashed one by one.
  private func hashes() -> [String] {
    let all = UnsafeRawBufferPointer(rebasing: samples[..<(held.count * size)])
    if 2 * held.count >= MD5Lanes.count { return MD5Lanes.hashes(all, size: size) }
    return held.indices.map { MD5.hash(UnsafeRawBufferPointer(rebasing: all[($0 * size)..<(($0 + 1) * size)]).bytes) }
  }

  /// A line as libavformat's framehash muxer writes it: stream, decoding time, presentation time, duration, bytes,
  /// hash.
  private static func line(_ time: Int64, duration: Int64, size: Int, _ hash: String) -> String {
    func padded(_ number: Int64, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }
    return "0, \(padded(time, 10)), \(padded(time, 10)), \(padded(duration, 8)), \(padded(Int64(size), 8)), \(hash)\n"
  }

  private func store(_ line: String) throws(CamrecError) {
    let bytes = Array(line.utf8)
    avio_write(file.output, bytes, Int32(bytes.count))
    avio_flush(file.output)
    if let cause = file.failure {
      file.truncate(to: wholeSize)
      let told = CamrecError(
        .output, "cannot continue writing '\(shownPath)'; it holds the hashes of \(written) frames",
        cause: LibavError(cause).cause)
      failure = told
      throw told
    }
    written += 1
    wholeSize = file.size
  }

  /// Copies the samples row after row, without the padding between rows.
  private func pack(_ frame: borrowing Frame, at start: Int) {
    let format = frame.format
    var target = start
    for plane in 0..<format.planeCount {
      let row = format.layout.rowBytes(plane: plane, width: format.width)
      let stride = format.stride(plane: plane)
      let rows = format.layout.rows(plane: plane, height: format.height)
      frame.withPlane(plane) { bytes in
        for y in 0..<rows {
          UnsafeMutableRawBufferPointer(rebasing: samples[target..<(target + row)]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes[(y * stride)..<(y * stride + row)]))
          target += row
        }
      }
    }
  }
}
