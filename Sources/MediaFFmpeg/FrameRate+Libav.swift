import CFFmpeg
import Frames

extension FrameRate {
  /// The nominal rate of a stream in `container`; 25 if the file does not say, and the highest possible rate if it says
  /// more.
  ///
  /// The timecode track of camrec's own films counts at the camera's rate, however many frames were lost.
  ///
  /// Containers give the mean rate, which lost frames and a short last frame distort, and the lowest rate that can
  /// express all times. If both agree to 0.1 %, the second is exact, except for what Matroska rounds to nanoseconds.
  /// Otherwise frames were lost if the mean is lower than a standard rate: the timecode's, or the one on whose grid all
  /// times lie. Only if both are the same may the mean be lower by half. Failing that, the result is the mean, or the
  /// standard rate within 0.02 % of it.
  init(of stream: UnsafeMutablePointer<AVStream>, in container: UnsafePointer<AVFormatContext>) {
    let mean = FrameRate(stream.pointee.avg_frame_rate), exact = FrameRate(stream.pointee.r_frame_rate)
    let timecode = FrameRate(timecodeIn: container)
    if let timecode, FrameRate.isFilmOfCamrec(container) {
      self = timecode
      return
    }
    guard let mean else {
      let usual = Rational(FrameRate.excess(of: stream) == nil ? 25 : FrameRate.limit)
      self = exact ?? FrameRate(usual).unsafelyUnwrapped
      return
    }
    if let exact, abs(exact.partsPerMillion(from: mean)) <= 1000 {
      self = exact.standardRate(within: 0.2) ?? exact
      return
    }
    let grid = exact.flatMap { $0.isGrid(of: stream) ? $0 : nil }
    let nominal = [timecode, grid].lazy.compactMap { $0 }.first {
      $0.isStandard && mean < $0 && (mean.framesPerSecond * 2 > $0.framesPerSecond || timecode == grid)
    }
    self = nominal ?? mean.standardRate(within: 200) ?? mean
  }

  /// The mean rate of a stream, rounded, if it is too high to be a `FrameRate`.
  static func excess(of stream: UnsafePointer<AVStream>) -> Int? {
    let mean = stream.pointee.avg_frame_rate
    guard mean.den > 0, Int64(mean.num) > limit * Int64(mean.den) else { return nil }
    return Int((Double(mean.num) / Double(mean.den)).rounded())
  }

  private init?(_ rate: AVRational) {
    guard rate.den > 0 else { return nil }
    self.init(Rational(Int64(rate.num), Int64(rate.den)))
  }

  private static func isFilmOfCamrec(_ container: UnsafePointer<AVFormatContext>) -> Bool {
    guard let software = av_dict_get(container.pointee.metadata, "software", nil, 0) else { return false }
    return String(cString: software.pointee.value).hasPrefix("camrec ")
  }

  /// The rate that a timecode track counts in.
  private init?(timecodeIn container: UnsafePointer<AVFormatContext>) {
    let tag = FourCC("tmcd").code
    for index in 0..<Int(container.pointee.nb_streams) {
      guard let stream = container.pointee.streams[index], stream.pointee.codecpar.pointee.codec_tag == tag else {
        continue
      }
      self.init(stream.pointee.avg_frame_rate)
      return
    }
    return nil
  }

  /// A whole rate, or an NTSC rate, N · 1000/1001.
  var isStandard: Bool {
    rational.denominator == 1 || (rational.denominator == 1001 && rational.numerator % 1000 == 0)
  }

  /// Whether all times in the container's index lie on multiples of the frame duration, to within a tick.
  func isGrid(of stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let base = stream.pointee.time_base
    let framesPerTick = framesPerSecond * Double(base.num) / Double(base.den)
    guard let first = avformat_index_get_entry(stream, 0)?.pointee.timestamp else { return true }
    return (1..<max(1, avformat_index_get_entries_count(stream))).allSatisfy { index in
      guard let entry = avformat_index_get_entry(stream, index) else { return true }
      let place = Double(entry.pointee.timestamp - first) * framesPerTick
      return abs(place - place.rounded()) <= framesPerTick + 1e-6
    }
  }

  private func standardRate(within partsPerMillion: Double) -> FrameRate? {
    let whole = Int64((rational.doubleValue).rounded(.up))
    return [Rational(whole), Rational(whole * 1000, 1001), Rational(whole - 1)].lazy
      .compactMap { FrameRate($0) }.first { abs(self.partsPerMillion(from: $0)) <= partsPerMillion }
  }
}
