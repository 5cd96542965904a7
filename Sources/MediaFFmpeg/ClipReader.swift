import CFFmpeg
import Frames
import Movies
import Platform

/// Reads one stream of a media file and decodes it. Thread: one at a time.
final class ClipReader {
  /// What comes next in a stream.
  enum Step {
    /// A video frame or a run of samples was decoded.
    case frame
    /// Something could not be decoded, or only with errors; with its time in ticks if known.
    case damaged(at: Int64?)
    case end
  }

  let container: LibavContainer
  let stream: UnsafeMutablePointer<AVStream>
  let decoder: LibavDecoder
  private let packet: LibavPacket
  /// `nil` for audio, whose times decoders shift.
  private var due: FramesDue?
  /// `nil` for audio, and where no frame refers to another.
  private var reach: DamageReach?
  /// Steps of which it is not known yet whether damage reaches them.
  private var held: [Held] = []
  /// As many frames as a codec shows in another order, and a few more: beyond that, times are wrong.
  private static let mostHeld = 20
  /// Frames for `held` to use again.
  private var spare: [LibavFrame] = []
  /// The latest time of a step.
  private var reached = Int64.min
  private var hasEnded = false
  /// Damaged frames to report before the step in `waiting`, whose frame is in `frame`.
  private var damaged: [Int64?] = []
  private var waiting: Step?
  private let frame: LibavFrame
  /// The latest time of a delivered frame.
  private var latest = Int64.min
  /// Whether a frame was damaged.
  private var hasDamage = false
  /// Seconds by which a frame behind damage may come late; joined streams may begin their times anew.
  private static let mostReordering: Int64 = 2
  /// Codecs whose progressive packets show a frame each. Those of MPEG-4 may stand for no change.
  private static let showsEachPacket: Set<AVCodecID.RawValue> = Set(
    [
      AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_VP8,
      AV_CODEC_ID_VP9, AV_CODEC_ID_AV1,
    ].map(\.rawValue))
  private var isDraining = false
  private var errorsWhileDraining = 0
  /// Where the packets end that were read so far, in ticks; `nil` if they do not say.
  private(set) var readEnd: Int64?
  private var packetCount = 0
  /// The system's error, if the file could not be read to its end.
  private(set) var failure: LibavError?
  /// Set for a film that has no end. Looks through the file when it is first asked for.
  private(set) lazy var unfinished = UnfinishedFilm(path: container.path)

  private struct Held {
    let step: Step
    /// Set if the step is `.frame`.
    let frame: LibavFrame?
  }

  /// Opens the best stream of `kind`; `nil` if the file has none.
  ///
  /// - Throws: code `input`.
  init?(path: String, kind: AVMediaType) throws(CamrecError) {
    container = try LibavContainer(path: path)
    guard let stream = container.bestStream(kind) else { return nil }
    self.stream = stream
    container.readOnly(stream)
    let parameters = stream.pointee.codecpar.pointee
    guard let codec = avcodec_find_decoder(parameters.codec_id) else {
      let name = String(cString: avcodec_get_name(parameters.codec_id))
      throw CamrecError(.input, "\(path) is coded as \(name), which this FFmpeg cannot decode; convert it first")
    }
    do throws(LibavError) {
      decoder = try LibavDecoder(
        codec: codec, parameters: stream.pointee.codecpar, timeBase: stream.pointee.time_base, threads: 0)
      packet = try LibavPacket()
      frame = try LibavFrame()
    } catch {
      throw CamrecError(.input, "\(path) cannot be decoded", cause: error.cause)
    }
    guard kind == AVMEDIA_TYPE_VIDEO else { return }
    // A field may have a packet of its own.
    let isProgressive = CFFmpeg_isInterlaced(stream.pointee.codecpar) == 0
    due = FramesDue(
      ticksPerFrame: isProgressive ? ticksPerFrame : nil,
      showsEachPacket: isProgressive && ClipReader.showsEachPacket.contains(parameters.codec_id.rawValue))
    let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
    if properties & AV_CODEC_PROP_INTRA_ONLY == 0 { reach = DamageReach() }
  }

  var timeBase: Rational { Rational(Int64(stream.pointee.time_base.num), Int64(stream.pointee.time_base.den)) }
  /// The frame rate of a video stream.
  var frameRate: FrameRate { FrameRate(of: stream, in: container.context) }
  /// Ticks per frame of a video stream, at least 1.
  var ticksPerFrame: Int64 { max(1, (frameRate.frameDuration * timeBase.inverse).scaling(1)) }

  /// When a video frame shows, in the stream's ticks; `nil` if nothing says it. Its packet's time is its own, whatever
  /// is damaged around it; libav's estimate is for files without such times.
  static func time(of frame: UnsafePointer<AVFrame>) -> Int64? {
    let own = frame.pointee.pts, estimate = frame.pointee.best_effort_timestamp
    if own != CFFmpeg_noTimestamp { return own }
    return estimate == CFFmpeg_noTimestamp ? nil : estimate
  }

  /// Where the stream begins according to the file, in its ticks; `nil` if it does not say.
  var start: Int64? { stream.pointee.start_time == CFFmpeg_noTimestamp ? nil : stream.pointee.start_time }

  /// Where the stream ends according to the file, in its ticks; `nil` if it does not say.
  var promisedEnd: Int64? { container.promisedEnd(of: stream) }

  /// Decodes what comes next into `frame`, which must be empty and stays empty unless the step is `.frame`. Damaged
  /// frames, and those that may refer to one, are reported in their places among the others.
  func next(into frame: UnsafeMutablePointer<AVFrame>) -> Step {
    guard reach != nil else { return inOrder(into: frame) }
    while true {
      if let first = held.first, held.count > ClipReader.mostHeld || isKnown(first.step, first.frame?.pointer) {
        held.removeFirst()
        if let picture = first.frame {
          av_frame_move_ref(frame, picture.pointer)
          spare.append(picture)
        }
        return judged(first.step, frame)
      }
      let step = inOrder(into: frame)
      switch step {
      case .frame: reached = max(reached, frame.pointee.pts)
      case .damaged(let time):
        reached = max(reached, time ?? reached)
        reach?.damaged(at: time)
      case .end: hasEnded = true
      }
      if held.isEmpty, isKnown(step, frame) { return judged(step, frame) }
      var picture: LibavFrame?
      if case .frame = step {
        picture = spare.popLast() ?? (try? LibavFrame())
        // Without memory nothing can wait.
        guard let picture else { return judged(step, frame) }
        av_frame_move_ref(picture.pointer, frame)
      }
      held.append(Held(step: step, frame: picture))
    }
  }

  private func isKnown(_ step: Step, _ frame: UnsafePointer<AVFrame>?) -> Bool {
    guard case .frame = step, !hasEnded, let frame else { return true }
    return reach?.isKnown(frame.pointee.pts, after: reached) != false
  }

  /// What becomes of a step: a frame that damage reaches is damaged itself, and is given up.
  private func judged(_ step: Step, _ frame: UnsafeMutablePointer<AVFrame>) -> Step {
    let time = frame.pointee.pts
    guard case .frame = step, reach?.reaches(time, isKey: CFFmpeg_isKeyFrame(frame) != 0) == true else { return step }
    av_frame_unref(frame)
    return .damaged(at: time == CFFmpeg_noTimestamp ? nil : time)
  }

  /// Like `next`, without those that only refer to damaged frames.
  private func inOrder(into frame: UnsafeMutablePointer<AVFrame>) -> Step {
    while true {
      if !damaged.isEmpty { return .damaged(at: damaged.removeFirst()) }
      if let waited = waiting.take() {
        if case .frame = waited { av_frame_move_ref(frame, self.frame.pointer) }
        return waited
      }
      var step = decode(into: frame)
      if case .damaged = step { hasDamage = true }
      if case .frame = step, due != nil, let late = tooLate(frame) { step = .damaged(at: late) }
      if case .damaged(let time?) = step, due?.hasMissed(time) == true { continue }
      switch step {
      case .frame:
        if isDraining, isCut { due?.cut(before: frame.pointee.pts) }
        damaged = due?.came(frame.pointee.pts) ?? []
      case .damaged(let time?): damaged = due?.came(time) ?? []
      case .damaged(nil): if due?.failed() == true { continue }
      case .end: damaged = due?.ended() ?? []
      }
      if damaged.isEmpty { return step }
      hasDamage = true
      if case .frame = step { av_frame_move_ref(self.frame.pointer, frame) }
      waiting = step
    }
  }

  /// Whether all packets of a file that is not cut off were read: the last frame then lasts until the promised end.
  var isWhole: Bool {
    guard isDraining, failure == nil else { return false }
    let format = String(cString: container.context.pointee.iformat.pointee.name)
    if format.contains("matroska") { return isWholeMatroska }
    return listedPackets.map { packetCount >= $0 } ?? false
  }

  /// Packets in the index of a file that lists all: QuickTime's does, unless they are in fragments.
  var listedPackets: Int? {
    guard String(cString: container.context.pointee.iformat.pointee.name).contains("mov"), stream.pointee.nb_frames > 0
    else { return nil }
    return Int(avformat_index_get_entries_count(stream))
  }

  private lazy var isWholeMatroska: Bool = {
    guard let file = try? InputFile(path: container.path) else { return false }
    return MatroskaSegment.isWhole(in: file)
  }()

  /// Whether packets are missing at the end of what was read.
  private var isCut: Bool {
    if failure != nil { return true }
    if isWhole { return false }
    if let promisedEnd, let readEnd, promisedEnd.subtractingSaturated(readEnd) > ticksPerFrame { return true }
    // QuickTime's index has all packets.
    return String(cString: container.context.pointee.iformat.pointee.name).contains("mov")
      && packetCount < Int(avformat_index_get_entries_count(stream))
  }

  /// The time of a frame that comes behind a later one, as frames do behind damage; it is given up. `nil` for others.
  private func tooLate(_ frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
    let time = frame.pointee.pts
    guard time != CFFmpeg_noTimestamp else { return nil }
    let base = stream.pointee.time_base
    let most = ClipReader.mostReordering.multipliedSaturated(by: Int64(base.den)) / max(1, Int64(base.num))
    guard hasDamage, time < latest, time > latest.subtractingSaturated(most) else {
      latest = time
      return nil
    }
    av_frame_unref(frame)
    return time
  }

  /// What comes next, with errors as the decoder reports them.
  private func decode(into frame: UnsafeMutablePointer<AVFrame>) -> Step {
    while true {
      do throws(LibavError) {
        switch try decoder.receive(frame) {
        case .done:
          guard frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || frame.pointee.decode_error_flags != 0 else {
            return .frame
          }
          let time = frame.pointee.pts
          av_frame_unref(frame)
          return .damaged(at: time == CFFmpeg_noTimestamp ? nil : time)
        case .end: return .end
        case .again: if isDraining { return .end }
        }
      } catch {
        noteError()
        // A decoder that returns nothing but errors at the end of its stream would do so for ever.
        if isDraining { errorsWhileDraining += 1 }
        return errorsWhileDraining > 64 ? .end : .damaged(at: nil)
      }
      do throws(LibavError) {
        try feed()
      } catch {
        noteError()
        return .damaged(at: nil)
      }
    }
  }

  /// With several threads, an error may concern an earlier packet than the last.
  private func noteError() {
    if decoder.context.pointee.thread_count == 1 { reach?.failed() }
  }

  /// Sends the decoder the next packet of the stream, or the end of the stream. Throws the decoder's error.
  private func feed() throws(LibavError) {
    let packet = packet.pointer
    defer { av_packet_unref(packet) }
    while true {
      var outcome = LibavOutcome.end
      do throws(LibavError) {
        outcome = try container.read(packet)
      } catch {
        failure = error
      }
      guard case .done = outcome else { break }
      if packet.pointee.stream_index == stream.pointee.index {
        // What an edit list leaves out is decoded but not delivered.
        let isShown = packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0
        if packet.pointee.pts != CFFmpeg_noTimestamp {
          if isShown { due?.sent(packet.pointee.pts) }
          readEnd = max(readEnd ?? .min, packet.pointee.pts.addingSaturated(packet.pointee.duration))
        }
        packetCount += 1
        reach?.sent(packet.pointee)
        return try decoder.send(packet)
      }
      av_packet_unref(packet)
    }
    isDraining = true
    try decoder.send(nil)
  }
}
