import Audio
import CFFmpeg
import Foundation
import Frames
import MovieBoxes
import Movies

/// A libavformat muxer for one video track and at most one audio track, writing into a `MovieFile`.
///
/// Packets are written at once, never queued to be interleaved, so a track that stops does not hold up the other.
/// Thread: one at a time.
final class MovieMuxer {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let video: UnsafeMutablePointer<AVStream>
  private let audio: UnsafeMutablePointer<AVStream>?
  private let videoTimeBase: AVRational
  private let file: MovieFile
  private let settings: MovieSettings
  private var hasEnded = false
  /// Samples that were given and are not in the file, flushed or not: libavformat keeps the last packet of a .mkv's
  /// audio until the next one comes.
  private(set) var heldSamples: Int64 = 0
  /// Chapters of a file that has no index of camrec's own; written at its end.
  var chapters: [MovieChapter] = []

  /// Sets up the tracks; nothing is written yet.
  ///
  /// - Parameters:
  ///   - picture: the video track's codec parameters; copied.
  ///   - fragmented: writes a mov in fragments; each is in the file once it is flushed.
  init(
    _ settings: MovieSettings, file: MovieFile, picture: UnsafePointer<AVCodecParameters>, encoder: String,
    fragmented: Bool
  ) throws(LibavError) {
    self.settings = settings
    self.file = file
    videoTimeBase = AVRational(settings.timeBase)
    var created: UnsafeMutablePointer<AVFormatContext>?
    try LibavCall.check(
      avformat_alloc_output_context2(&created, nil, settings.container == .mkv ? "matroska" : "mov", nil),
      "avformat_alloc_output_context2")
    let context = try LibavCall.unwrap(created, "avformat_alloc_output_context2")
    do {
      let video = try LibavCall.unwrap(avformat_new_stream(context, nil), "avformat_new_stream")
      var audio: UnsafeMutablePointer<AVStream>?
      if settings.audio != nil {
        audio = try LibavCall.unwrap(avformat_new_stream(context, nil), "avformat_new_stream")
      }
      self.video = video
      self.audio = audio
    } catch {
      avformat_free_context(context)
      throw error
    }
    self.context = context
    context.pointee.pb = file.output
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    try describePicture(picture, encoder)
    try describeSound()
    try describeMovie()
    try writeHeader(fragmented: fragmented)
  }

  deinit {
    context.pointee.pb = nil
    avformat_free_context(context)
  }

  /// Stores a packet of the video track; its times are in ticks of `MovieSettings.timeBase`.
  func writePicture(_ packet: UnsafeMutablePointer<AVPacket>) throws(LibavError) {
    packet.pointee.stream_index = video.pointee.index
    av_packet_rescale_ts(packet, videoTimeBase, video.pointee.time_base)
    try LibavCall.check(av_write_frame(context, packet), "av_write_frame")
    heldSamples = 0
  }

  /// Stores a packet of the audio track; its times are in samples.
  func writeSound(_ packet: UnsafeMutablePointer<AVPacket>) throws(LibavError) {
    guard let audio, let format = settings.audio else { return }
    let samples = packet.pointee.duration
    packet.pointee.stream_index = audio.pointee.index
    av_packet_rescale_ts(packet, AVRational(num: 1, den: Int32(format.sampleRate)), audio.pointee.time_base)
    try LibavCall.check(av_write_frame(context, packet), "av_write_frame")
    heldSamples = settings.container == .mkv ? samples : 0
  }

  /// Ends the fragment (or cluster): everything given so far is in the file afterwards, but for `heldSamples`.
  func flush() throws(LibavError) {
    guard !hasEnded else { return }
    // The first call of a delayed moov writes the moov alone.
    try LibavCall.check(av_write_frame(context, nil), "av_write_frame")
    try LibavCall.check(av_write_frame(context, nil), "av_write_frame")
    avio_flush(file.output)
    try checkOutput()
  }

  /// Writes the end of the file: the index, or nothing after fragments. A second call does nothing, even if the first
  /// one failed.
  /// - Parameter seconds: the end of the film and of its last chapter.
  func end(at seconds: Double = 0) throws(LibavError) {
    guard !hasEnded else { return }
    hasEnded = true
    let places = chapters.sorted { $0.seconds < $1.seconds }
    // Readers of Matroska pass over a chapter that begins with the one before it, as two markers on one frame do.
    var starts: [Int64] = []
    // Rounded as the frames' times are: a chapter that begins before its frame shows the one before it.
    func milliseconds(_ seconds: Double) -> Int64 { Int64(saturating: (seconds * 1000).rounded()) }
    for place in places { starts.append(max(milliseconds(place.seconds), (starts.last ?? -1) + 1)) }
    let ends = starts.dropFirst() + [max(milliseconds(seconds), starts.last ?? 0)]
    for (number, (chapter, (start, end))) in zip(places, zip(starts, ends)).enumerated() {
      let code = CFFmpeg_addChapter(context, Int64(number + 1), start, end, chapter.title)
      try LibavCall.check(code, "av_dict_set")
    }
    try LibavCall.check(av_write_trailer(context), "av_write_trailer")
    heldSamples = 0
    avio_flush(file.output)
    try checkOutput()
  }

  private func checkOutput() throws(LibavError) {
    if let failure = file.failure { throw LibavError(failure) }
    if let output = file.output { try LibavCall.check(output.pointee.error, "avio_flush") }
  }

  private func describePicture(_ parameters: UnsafePointer<AVCodecParameters>, _ encoder: String) throws(LibavError) {
    guard let target = video.pointee.codecpar else { return }
    try LibavCall.check(avcodec_parameters_copy(target, parameters), "avcodec_parameters_copy")
    switch (settings.container, settings.encoding.codec) {
    case (.mov, .hevc): target.pointee.codec_tag = MovieMuxer.tag("hvc1")
    case (.mov, .prores): break
    default: target.pointee.codec_tag = 0
    }
    let tags = VideoColorTags(settings.format.color)
    target.pointee.color_primaries = tags.primaries
    target.pointee.color_trc = tags.transfer
    target.pointee.color_space = tags.matrix
    target.pointee.color_range = tags.range
    video.pointee.time_base = videoTimeBase
    video.pointee.avg_frame_rate = AVRational(settings.frameRate.rational)
    video.pointee.r_frame_rate = AVRational(settings.frameRate.rational)
    video.pointee.sample_aspect_ratio = AVRational(settings.pixelAspect)
    target.pointee.sample_aspect_ratio = AVRational(settings.pixelAspect)
    try set("encoder", encoder, in: &video.pointee.metadata)
    if let timecode = settings.storedTimecode { try set("timecode", timecode.description, in: &video.pointee.metadata) }
    if settings.rotation != .none {
      let matrix = MovieMuxer.displayMatrix(
        settings.rotation, width: settings.format.width, height: settings.format.height)
      try LibavCall.check(CFFmpeg_setDisplayMatrix(video, matrix), "av_stream_new_side_data")
    }
  }

  private func describeSound() throws(LibavError) {
    guard let format = settings.audio, let audio, let target = audio.pointee.codecpar else { return }
    target.pointee.codec_type = AVMEDIA_TYPE_AUDIO
    target.pointee.codec_id = format.sample == .s16 ? AV_CODEC_ID_PCM_S16LE : AV_CODEC_ID_PCM_S24LE
    target.pointee.format = (format.sample == .s16 ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S32).rawValue
    target.pointee.sample_rate = Int32(format.sampleRate)
    target.pointee.bits_per_coded_sample = Int32(8 * format.storedSampleBytes)
    target.pointee.block_align = Int32(format.storedFrameBytes)
    target.pointee.bit_rate = Int64(8 * format.storedFrameBytes * format.sampleRate)
    av_channel_layout_default(&target.pointee.ch_layout, Int32(format.channels))
    audio.pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
    if let language = settings.audioLanguage {
      let code = settings.container == .mov ? MovieMuxer.bibliographic[language] ?? language : language
      try set("language", code, in: &audio.pointee.metadata)
    }
  }

  /// QuickTime's language numbers follow the bibliographic code where ISO 639-2 has two codes.
  private static let bibliographic = [
    "sqi": "alb", "hye": "arm", "eus": "baq", "mya": "bur", "zho": "chi", "ces": "cze", "nld": "dut",
    "kat": "geo", "deu": "ger", "ell": "gre", "isl": "ice", "mkd": "mac", "msa": "may", "fas": "per", "ron": "rum",
    "slk": "slo", "bod": "tib", "cym": "wel",
  ]

  private func describeMovie() throws(LibavError) {
    try set(
      "creation_time", Date(timeIntervalSince1970: TimeInterval(settings.creationTime)).formatted(.iso8601),
      in: &context.pointee.metadata)
    for entry in settings.metadata { try set(entry.key, entry.value, in: &context.pointee.metadata) }
  }

  private func writeHeader(fragmented: Bool) throws(LibavError) {
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    switch settings.container {
    case .mkv:
      try set("cluster_time_limit", "\(Int(settings.longestFragment * 1000))", in: &options)
    case .mov, .framemd5:
      // The moov waits for the first packets, because only they tell by how much B-frames delay decoding.
      let fragments = fragmented ? "+frag_custom+delay_moov+skip_trailer" : ""
      try set("movflags", "+use_metadata_tags+write_colr" + fragments, in: &options)
      // Edit lists count in the movie's time scale; the video track's own keeps them exact.
      try set("movie_timescale", "\(videoTimeBase.den)", in: &options)
      try set("video_track_timescale", "\(videoTimeBase.den)", in: &options)
    }
    try LibavCall.check(avformat_write_header(context, &options), "avformat_write_header")
  }

  private func set(_ key: String, _ value: String, in dictionary: inout OpaquePointer?) throws(LibavError) {
    try LibavCall.check(av_dict_set(&dictionary, key, value, 0), "av_dict_set")
  }

  private static func tag(_ name: String) -> UInt32 { FourCC(name).code }

  /// The matrix by which a player turns the picture clockwise and moves it back into view (QuickTime File Format,
  /// "Matrices": rows a b u, c d v, x y w in 16.16 and 2.30 fixed point; x' = a·x + c·y + tx, y' = b·x + d·y + ty).
  private static func displayMatrix(_ rotation: Rotation, width: Int, height: Int) -> [Int32] {
    let one: Int32 = 1 << 16
    let w: Int32 = 1 << 30
    let tx = Int32(width) << 16
    let ty = Int32(height) << 16
    return switch rotation {
    case .none: [one, 0, 0, 0, one, 0, 0, 0, w]
    case .quarter: [0, one, 0, -one, 0, 0, ty, 0, w]
    case .half: [-one, 0, 0, 0, -one, 0, tx, ty, w]
    case .threeQuarters: [0, -one, 0, one, 0, 0, 0, tx, w]
    }
  }
}
