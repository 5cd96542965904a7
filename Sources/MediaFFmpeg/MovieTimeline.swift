import CFFmpeg

/// Gives each packet of the video track its duration, and so holds one packet until the next has come.
///
/// In a fragmented file a packet lasts exactly until the decoding time of the next. In an indexed file the muxer takes
/// that from the times themselves, and durations only say where the film ends: the frame shown last ends at the time
/// given to `end`. The packet decoded last makes the track as long as the film, provided that the decoding times come
/// from `DecodingTimes`. Thread: one at a time.
final class MovieTimeline {
  /// Where to put the next packet.
  private(set) var incoming: UnsafeMutablePointer<AVPacket>
  private var held: UnsafeMutablePointer<AVPacket>
  private var holds = false
  private let fragmented: Bool
  private var firstDecodingTime: Int64 = 0
  private var endTime: Int64?
  /// Presentation times of the first and of the newest frame.
  private(set) var firstTime: Int64?
  private(set) var lastTime: Int64 = 0
  /// Packets in the file.
  private(set) var stored: Int64 = 0
  /// Frames in the encoder or after it, by time; those up to `newestStored` are counted in `due`.
  private var pending: [Int64] = []
  private var firstPending = 0
  private var newestStored = Int64.min
  private var due: Int64 = 0

  init(fragmented: Bool) throws(LibavError) {
    self.fragmented = fragmented
    incoming = try LibavCall.unwrap(av_packet_alloc(), "av_packet_alloc")
    guard let held = av_packet_alloc() else {
      var incoming: UnsafeMutablePointer<AVPacket>? = incoming
      av_packet_free(&incoming)
      throw LibavError(function: "av_packet_alloc", code: CFFmpeg_error(ENOMEM))
    }
    self.held = held
    pending.reserveCapacity(MovieTimeline.pendingRoom)
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = incoming
    av_packet_free(&packet)
    packet = held
    av_packet_free(&packet)
  }

  /// Adds the presentation time of a frame of the film, later than those before.
  func add(pictureAt time: Int64) {
    if firstTime == nil { firstTime = time }
    lastTime = time
    // A film that begins with a pre-roll gets all of that at once.
    if pending.count >= MovieTimeline.pendingRoom, firstPending > pending.count / 2 {
      pending.removeSubrange(..<firstPending)
      firstPending = 0
    }
    pending.append(time)
  }

  /// More than any encoder holds, so that the list is allocated once.
  private static let pendingRoom = 1024

  /// Notes that the packet with this presentation time is in the file.
  ///
  /// - Returns: true while frames that are shown before stored ones are still to come.
  func store(pictureAt time: Int64) -> Bool {
    stored += 1
    newestStored = max(newestStored, time)
    while firstPending < pending.count, pending[firstPending] <= newestStored {
      firstPending += 1
      due += 1
    }
    return stored < due
  }

  /// Where the packets in the file end, in ticks: the newest lasts until the decoding time of the one that is held.
  var storedEnd: Int64 {
    guard let firstTime else { return 0 }
    return holds ? firstTime + held.pointee.dts - firstDecodingTime : endTime ?? firstTime
  }

  /// Where the frame in the file that is shown last ends, in ticks. Until frames that are shown before it are stored,
  /// that is later than `storedEnd`.
  var shownEnd: Int64 {
    guard stored < due else { return storedEnd }
    return max(storedEnd, firstPending < pending.count ? pending[firstPending] : endTime ?? lastTime + 1)
  }

  /// Notes that no more frames come; the newest is shown until `time`.
  func end(at time: Int64) { endTime = max(time, lastTime + 1) }

  /// Takes over what is in `incoming` and returns the packet before it, now with its duration.
  func advance() -> UnsafeMutablePointer<AVPacket>? {
    swap(&held, &incoming)
    guard holds else {
      holds = true
      firstDecodingTime = held.pointee.dts
      return nil
    }
    if fragmented {
      incoming.pointee.duration = held.pointee.dts - incoming.pointee.dts
    } else if let endTime, incoming.pointee.pts == lastTime {
      incoming.pointee.duration = endTime - lastTime
    } else {
      incoming.pointee.duration = 1
    }
    return incoming
  }

  /// The packet that is still held, the last of the film. It makes the track as long as the film.
  func last() -> UnsafeMutablePointer<AVPacket>? {
    guard holds, let firstTime, let endTime else { return nil }
    holds = false
    let length = endTime - firstTime
    if !fragmented {
      // Its decoding time can still be chosen: late enough for it to last no longer than the frame shown last.
      let latest = firstDecodingTime + lastTime - firstTime
      held.pointee.dts = max(held.pointee.dts, min(latest, held.pointee.pts))
    }
    held.pointee.duration = max(1, length - (held.pointee.dts - firstDecodingTime))
    return held
  }
}
