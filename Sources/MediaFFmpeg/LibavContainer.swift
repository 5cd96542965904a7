import CFFmpeg
import Frames
import Glibc
import Platform

/// A media file that is open for reading. Thread: one at a time.
final class LibavContainer {
  let path: String
  let context: UnsafeMutablePointer<AVFormatContext>
  private let deadline = LibavDeadline()
  /// What the container itself says of each stream's colours. Where the frames say that theirs are unspecified, libav
  /// puts that in its place.
  private let colors: [VideoColorTags?]

  /// - Parameter hasEdits: false reads a film's samples as they are stored, without applying its edit lists.
  /// - Throws: code `input` if `path` is missing, not a file, empty or nothing that libavformat reads, or if reading it
  ///   exceeds `LibavLimits` or `LibavMemory.limit`.
  init(path: String, hasEdits: Bool = true) throws(CamrecError) {
    LibavLog.silence()
    try LibavContainer.checkFile(path)
    LibavMemory.process.beginOpening()
    defer { LibavMemory.process.endOpening() }
    self.path = path
    var context = avformat_alloc_context()
    context?.pointee.interrupt_callback = deadline.callback
    context?.pointee.max_streams = Int32(LibavLimits.streams)
    deadline.begin()
    do throws(LibavError) {
      // A clip that names other files (a playlist) may name local ones only.
      var options: OpaquePointer?
      defer { av_dict_free(&options) }
      try LibavCall.check(av_dict_set(&options, "protocol_whitelist", "file", 0), "av_dict_set")
      if !hasEdits { try LibavCall.check(av_dict_set(&options, "ignore_editlist", "1", 0), "av_dict_set") }
      // "file:" keeps a name such as "a:b.mov" from being taken for a protocol.
      try LibavCall.check(avformat_open_input(&context, "file:" + path, nil, &options), "avformat_open_input")
      let opened = try LibavCall.unwrap(context, "avformat_open_input")
      colors = LibavContainer.colorTags(of: opened)
      do throws(LibavError) {
        try LibavCall.check(avformat_find_stream_info(opened, nil), "avformat_find_stream_info")
      } catch {
        avformat_close_input(&context)
        throw error
      }
      self.context = opened
    } catch {
      throw LibavContainer.refusal(path, error)
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }

  /// The stream of `kind` that a player would choose; cover art of audio files does not count. `nil` for none.
  func bestStream(_ kind: AVMediaType) -> UnsafeMutablePointer<AVStream>? {
    let index = av_find_best_stream(context, kind, -1, -1, nil, 0)
    guard index >= 0, let stream = context.pointee.streams[Int(index)],
      stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    else { return nil }
    return stream
  }

  /// The colour tags of the container itself, such as a .mov's `colr`; `nil` if it has no header.
  func color(of stream: UnsafePointer<AVStream>) -> VideoColorTags? {
    let index = Int(stream.pointee.index)
    return colors.indices.contains(index) ? colors[index] : nil
  }

  private static func colorTags(of context: UnsafePointer<AVFormatContext>) -> [VideoColorTags?] {
    (0..<Int(context.pointee.nb_streams)).map { index in
      guard let stream = context.pointee.streams[index], let parameters = stream.pointee.codecpar else { return nil }
      return VideoColorTags(of: parameters.pointee)
    }
  }

  /// Streams of the same kind as `stream`, for people: `track 3 (aac, 2 channels, fra)`.
  func others(than stream: UnsafeMutablePointer<AVStream>) -> [String] {
    (0..<Int(context.pointee.nb_streams)).compactMap { index in
      guard let other = context.pointee.streams[index], other != stream,
        other.pointee.codecpar.pointee.codec_type == stream.pointee.codecpar.pointee.codec_type
      else { return nil }
      return LibavContainer.description(of: other)
    }
  }

  static func description(of stream: UnsafeMutablePointer<AVStream>) -> String {
    let parameters = stream.pointee.codecpar.pointee
    let channels = parameters.ch_layout.nb_channels
    let facts = [
      String(cString: avcodec_get_name(parameters.codec_id)),
      channels > 0 ? "\(channels) channel\(channels == 1 ? "" : "s")" : nil, language(of: stream),
    ]
    return "track \(stream.pointee.index + 1) (\(facts.compactMap { $0 }.joined(separator: ", ")))"
  }

  /// ISO 639-2; `nil` if the file does not say.
  static func language(of stream: UnsafeMutablePointer<AVStream>) -> String? {
    guard let tag = av_dict_get(stream.pointee.metadata, "language", nil, 0) else { return nil }
    let language = String(cString: tag.pointee.value)
    return language == "und" || language.isEmpty ? nil : language
  }

  /// Skips all streams but `stream` from now on.
  func readOnly(_ stream: UnsafeMutablePointer<AVStream>) {
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let other = context.pointee.streams[index], other != stream else { continue }
      other.pointee.discard = AVDISCARD_ALL
    }
  }

  /// The earliest presentation time of all streams in nanoseconds.
  var start: Int64 { context.pointee.start_time == CFFmpeg_noTimestamp ? 0 : context.pointee.start_time * 1000 }

  private static func folderSentence(_ path: String) -> String {
    let folder = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    return "\(path) is a folder; name its clips: \(folder == "/" ? "" : folder)/*.mov"
  }

  /// Where `stream` ends according to the file, in its ticks; `nil` if it does not say.
  func promisedEnd(of stream: UnsafePointer<AVStream>) -> Int64? {
    let timeBase = stream.pointee.time_base
    let start = stream.pointee.start_time == CFFmpeg_noTimestamp ? 0 : stream.pointee.start_time
    // Matroska has one duration for all streams, and its muxers write one for each stream in a tag.
    if let tag = av_dict_get(stream.pointee.metadata, "DURATION", nil, 0) {
      var duration: Int64 = 0
      guard av_parse_time(&duration, tag.pointee.value, 1) >= 0 else { return nil }
      return av_rescale_q(duration, AVRational(num: 1, den: Int32(CFFmpeg_timeBase)), timeBase)
    }
    let format = String(cString: context.pointee.iformat.pointee.name)
    // For a file that was cut off, the AVI reader shortens the duration but not the count; a tick of AVI is a frame.
    if format == "avi", stream.pointee.nb_frames > 0 { return start.addingSaturated(stream.pointee.nb_frames) }
    // An estimate from the bitrate or from the last packets promises nothing.
    guard context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM,
      stream.pointee.duration != CFFmpeg_noTimestamp, stream.pointee.duration > 0
    else { return nil }
    let isItsOwn = context.pointee.nb_streams == 1 || !format.contains("matroska")
    return isItsOwn ? start.addingSaturated(stream.pointee.duration) : nil
  }

  /// The next packet, of any stream.
  func read(_ packet: UnsafeMutablePointer<AVPacket>) throws(LibavError) -> LibavOutcome {
    deadline.begin()
    return try LibavCall.outcome(av_read_frame(context, packet), "av_read_frame")
  }

  private static func checkFile(_ path: String) throws(CamrecError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let number = errno, reason = SystemError.words(for: number)
      throw CamrecError(
        .input, number == ENOENT ? "there is no clip \(path)" : "clip \(path) cannot be read", cause: reason)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw CamrecError(.input, LibavContainer.folderSentence(path))
    default:
      throw CamrecError(
        .input, "\(path) is not an ordinary file, as a clip must be: it is read twice, for video and audio")
    }
    guard status.st_size > 0 else { throw CamrecError(.input, "\(path) is empty") }
    guard access(path, R_OK) == 0 else {
      throw CamrecError(.input, "this user may not read \(path); change its permissions (chmod u+r)")
    }
  }

  private static func refusal(_ path: String, _ error: LibavError) -> CamrecError {
    if path.hasSuffix(".yuv") || path.hasSuffix(".rgb") || path.hasSuffix(".raw") {
      return CamrecError(
        .input,
        "\(path) holds raw samples without a header that gives their size; wrap it first: "
          + "ffmpeg -f rawvideo -pixel_format nv12 -video_size 1920x1080 -framerate 24 -i \(path) -c copy clip.nut",
        cause: error.cause)
    }
    if error.code == CFFmpeg_errorExit {
      return CamrecError(
        .input,
        "cannot open \(path) within \(LibavLimits.timeout) s; it is damaged, or its disk is too slow: copy it first")
    }
    if error.systemError == ENOMEM {
      return CamrecError(
        .input, "\(path) needs more memory than a clip's index should; it is damaged, or memory is nearly used up",
        cause: error.cause)
    }
    if error.systemError != nil, error.code != CFFmpeg_error(EINVAL) {
      return CamrecError(.input, "\(path) cannot be read", cause: error.cause)
    }
    return CamrecError(
      .input,
      "\(path) is not a readable clip: it is no media file, or it was cut off before its index was written",
      cause: error.cause)
  }
}
