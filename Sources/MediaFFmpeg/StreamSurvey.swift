import CFFmpeg
public import Frames
import Platform
public import Verification

/// What libav says about a film's tracks, for `FilmCheck`: its index, and the first and last frame as decoded.
public enum StreamSurvey {
  /// - Throws: code `input` if libavformat cannot open the file.
  public static func read(_ path: String) throws(CamrecError) -> [StreamFacts] {
    let container = try LibavContainer(path: path, hasEdits: false)
    var facts: [StreamFacts] = []
    for index in 0..<Int(container.context.pointee.nb_streams) {
      guard let stream = container.context.pointee.streams[index], let parameters = stream.pointee.codecpar else {
        continue
      }
      var fact = StreamFacts(
        identifier: UInt32(truncatingIfNeeded: stream.pointee.id),
        codec: String(cString: avcodec_get_name(parameters.pointee.codec_id)),
        samples: Int(avformat_index_get_entries_count(stream)))
      if parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
        let (rate, channels) = (parameters.pointee.sample_rate, parameters.pointee.ch_layout.nb_channels)
        if rate > 0 { fact.sampleRate = Int(rate) }
        if channels > 0 { fact.channels = Int(channels) }
      }
      if parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
        stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
      {
        survey(container, stream, &fact)
      }
      facts.append(fact)
    }
    return facts
  }

  private static func survey(
    _ container: LibavContainer, _ stream: UnsafeMutablePointer<AVStream>, _ fact: inout StreamFacts
  ) {
    // A track that this libavcodec cannot decode is judged by its atoms alone.
    guard let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else { return }
    stream.pointee.discard = AVDISCARD_DEFAULT
    container.readOnly(stream)
    do throws(LibavError) {
      guard let first = try picture(container, stream, codec, isLast: false) else {
        fact.damage = "no frame of it can be decoded"
        return
      }
      (fact.width, fact.height) = (Int(first.width), Int(first.height))
      fact.isRGB = first.isRGB
      fact.color = StreamFacts.Color(
        primaries: Int(first.primaries.rawValue), transfer: Int(first.transfer.rawValue),
        matrix: Int(first.matrix.rawValue), isFullRange: first.isFullRange)
      if first.hasErrors { fact.damage = "its first frame is damaged" }
    } catch { fact.damage = "it cannot be decoded (\(error.cause))" }
    guard fact.samples > 1, fact.damage == nil else { return }
    var damage: String?
    do throws(LibavError) {
      guard let last = try picture(container, stream, codec, isLast: true) else { return }
      if last.hasErrors || last.isCorrupt { damage = "its last frame is damaged" }
    } catch { damage = "it cannot be decoded (\(error.cause))" }
    guard let damage else { return }
    // A decoder that begins at the last key frame may lack what an earlier frame would have told it.
    if decodesWhole(container, stream, codec) { fact.isDamagedBehindJump = true } else { fact.damage = damage }
  }

  /// Nanoseconds that decoding from the beginning may take: a film that takes longer is not called sound.
  private static let longest: Int64 = 60_000_000_000

  /// Whether every frame can be decoded, from the beginning on.
  private static func decodesWhole(
    _ container: LibavContainer, _ stream: UnsafeMutablePointer<AVStream>, _ codec: UnsafePointer<AVCodec>
  ) -> Bool {
    let begin = MonotonicTime.now()
    do throws(LibavError) {
      let decoder = try LibavDecoder(
        codec: codec, parameters: stream.pointee.codecpar, timeBase: stream.pointee.time_base, threads: 0)
      try LibavCall.check(
        avformat_seek_file(
          container.context, stream.pointee.index, Int64.min, Int64.min, Int64.min, AVSEEK_FLAG_BACKWARD),
        "avformat_seek_file")
      let packet = try LibavPacket(), frame = try LibavFrame()
      while MonotonicTime.now() - begin < longest {
        av_packet_unref(packet.pointer)
        var isAtEnd = false
        if case .done = try container.read(packet.pointer) {
          guard packet.pointer.pointee.stream_index == stream.pointee.index else { continue }
          try decoder.send(packet.pointer)
        } else {
          isAtEnd = true
          try decoder.send(nil)
        }
        while case .done = try decoder.receive(frame.pointer) {
          let picture = Coded(frame.pointer.pointee)
          av_frame_unref(frame.pointer)
          if picture.hasErrors || picture.isCorrupt { return false }
        }
        if isAtEnd { return true }
      }
    } catch {}
    return false
  }

  private struct Coded {
    var width: Int32
    var height: Int32
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic
    var matrix: AVColorSpace
    var isFullRange: Bool?
    var isRGB: Bool
    /// Also set for the frame that decoding begins with, if that is not a key frame.
    var isCorrupt: Bool
    var hasErrors: Bool

    init(_ frame: AVFrame) {
      (width, height) = (frame.width, frame.height)
      (primaries, transfer, matrix) = (frame.color_primaries, frame.color_trc, frame.colorspace)
      isFullRange = frame.color_range == AVCOL_RANGE_UNSPECIFIED ? nil : frame.color_range == AVCOL_RANGE_JPEG
      isRGB = AVPixelFormat(frame.format).isRGB
      isCorrupt = frame.flags & AV_FRAME_FLAG_CORRUPT != 0
      hasErrors = frame.decode_error_flags != 0
    }
  }

  /// The most packets to read for one frame, so that a film without key frames is not decoded to its end.
  private static let mostPackets = 600

  /// The first frame, or the last frame from the last key frame on; `nil` if none comes.
  private static func picture(
    _ container: LibavContainer, _ stream: UnsafeMutablePointer<AVStream>, _ codec: UnsafePointer<AVCodec>, isLast: Bool
  ) throws(LibavError) -> Coded? {
    let parameters = try LibavCall.unwrap(avcodec_parameters_alloc(), "avcodec_parameters_alloc")
    var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
    defer { avcodec_parameters_free(&owned) }
    try LibavCall.check(avcodec_parameters_copy(parameters, stream.pointee.codecpar), "avcodec_parameters_copy")
    // What the atoms say must not pass for what the frames say.
    parameters.pointee.color_primaries = AVCOL_PRI_UNSPECIFIED
    parameters.pointee.color_trc = AVCOL_TRC_UNSPECIFIED
    parameters.pointee.color_space = AVCOL_SPC_UNSPECIFIED
    parameters.pointee.color_range = AVCOL_RANGE_UNSPECIFIED
    let decoder = try LibavDecoder(codec: codec, parameters: parameters, timeBase: stream.pointee.time_base, threads: 1)
    let time = isLast ? Int64.max : Int64.min
    try LibavCall.check(
      avformat_seek_file(container.context, stream.pointee.index, Int64.min, time, time, AVSEEK_FLAG_BACKWARD),
      "avformat_seek_file")
    let packet = try LibavPacket()
    let frame = try LibavFrame()
    var found: Coded?
    var isAtEnd = false
    var packets = 0
    while found == nil || isLast {
      if !isAtEnd {
        av_packet_unref(packet.pointer)
        switch try container.read(packet.pointer) {
        case .done where packets < mostPackets:
          packets += 1
          guard packet.pointer.pointee.stream_index == stream.pointee.index else { continue }
          try decoder.send(packet.pointer)
        default:
          isAtEnd = true
          try decoder.send(nil)
        }
      }
      while found == nil || isLast, case .done = try decoder.receive(frame.pointer) {
        found = Coded(frame.pointer.pointee)
      }
      if isAtEnd { break }
    }
    return found
  }
}
