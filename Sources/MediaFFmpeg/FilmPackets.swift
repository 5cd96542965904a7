import CFFmpeg
public import Frames
import Platform

/// What a film's file has, by its packets, without decoding them: also of a film that was cut off, up to its end.
public struct FilmPackets: Sendable {
  /// Seconds per tick of the frames' times.
  public let timeBase: Rational
  /// Samples of each channel, up to the end of the audio; `nil` without audio.
  public private(set) var soundSamples: Int64?
  /// Where the audio has gaps, counted from the first sample.
  public private(set) var soundGaps: [Range<Int64>] = []

  /// How far apart a frame's places in storage and in presentation may be: no encoder moves a frame further than this.
  private static let furthest = 64
  /// Later times are damage.
  private static let latest: Int64 = 1 << 52

  /// Reads a film to its end.
  ///
  /// - Parameters:
  ///   - seconds: the time that it may take.
  ///   - picture: called with the time of each frame in ticks, rising.
  /// - Throws: code `input`: the file cannot be read in that time, or has no video.
  public init(path: String, within seconds: Double = .infinity, picture: (Int64) -> Void) throws(CamrecError) {
    let begin = MonotonicTime.now()
    let container = try LibavContainer(path: path)
    guard let video = container.bestStream(AVMEDIA_TYPE_VIDEO) else {
      throw CamrecError(.input, "\(path) has no video")
    }
    let audio = container.bestStream(AVMEDIA_TYPE_AUDIO)
    let base = video.pointee.time_base
    timeBase = Rational(Int64(base.num), Int64(base.den))
    let packet: LibavPacket
    do throws(LibavError) { packet = try LibavPacket() } catch {
      throw CamrecError(.input, "\(path) cannot be read", cause: error.cause)
    }
    var window: [Int64] = [], latest = Int64.min
    func deliver(_ count: Int) {
      window.sort()
      for time in window.prefix(count) where time > latest {
        latest = time
        picture(time)
      }
      window.removeFirst(count)
    }
    while try FilmPackets.hasNext(of: container, packet.pointer) {
      defer { av_packet_unref(packet.pointer) }
      guard Double(MonotonicTime.now() - begin) * 1e-9 < seconds else {
        throw CamrecError(.input, "\(path) cannot be read in \(seconds) s")
      }
      let time = packet.pointer.pointee.pts
      guard (0...FilmPackets.latest).contains(time) else { continue }
      if packet.pointer.pointee.stream_index == video.pointee.index {
        guard !FilmPackets.isZero(packet.pointer) else { continue }
        window.append(time)
        if window.count >= 2 * FilmPackets.furthest { deliver(FilmPackets.furthest) }
      } else if let audio, packet.pointer.pointee.stream_index == audio.pointee.index {
        addSound(at: time, bytes: packet.pointer.pointee.size, of: audio)
      }
    }
    deliver(window.count)
  }

  /// Whether there was another packet. What cannot be read is the end.
  private static func hasNext(
    of container: LibavContainer, _ packet: UnsafeMutablePointer<AVPacket>
  ) throws(CamrecError) -> Bool {
    do throws(LibavError) {
      guard case .done = try container.read(packet) else { return false }
      return true
    } catch {
      guard error.code != CFFmpeg_errorExit else {
        throw CamrecError(.input, "\(container.path) cannot be read", cause: error.cause)
      }
      return false
    }
  }

  /// A power cut may leave zeros in place of what was not on the medium yet.
  private static func isZero(_ packet: UnsafePointer<AVPacket>) -> Bool {
    UnsafeBufferPointer<UInt8>(start: packet.pointee.data, count: Int(packet.pointee.size)).allSatisfy { $0 == 0 }
  }

  private mutating func addSound(at time: Int64, bytes: Int32, of stream: UnsafePointer<AVStream>) {
    guard let parameters = stream.pointee.codecpar, parameters.pointee.sample_rate > 0 else { return }
    let samplesPerTick = Rational(Int64(stream.pointee.time_base.num), Int64(stream.pointee.time_base.den))
      .product(with: Rational(Int64(parameters.pointee.sample_rate)))
    let count = Int64(av_get_audio_frame_duration2(parameters, bytes))
    guard let samplesPerTick, count > 0 else { return }
    // The container has rounded the time.
    let rounding = max(1, samplesPerTick.scaling(1)), own = samplesPerTick.scaling(time)
    var begin = soundSamples ?? 0
    if own > begin.addingSaturated(rounding) {
      // Nothing is missing in front of the first sample.
      if soundSamples != nil { soundGaps.append(begin..<own) }
      begin = own
    }
    soundSamples = begin.addingSaturated(count)
  }
}
