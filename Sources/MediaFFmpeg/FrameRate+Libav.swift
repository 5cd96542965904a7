import CFFmpeg
import Frames

extension FrameRate {
  /// The nominal rate of a stream.
  ///
  /// Containers give the mean of what is inside, which a short last frame pulls off, and the lowest rate in which all
  /// times can be said, which is a multiple where frames are missing. Where both agree to 0.1 % the second is the exact
  /// one; else the mean counts, as the standard rate that lies within 0.02 % if there is one. 25 where nothing is said.
  init(of stream: UnsafePointer<AVStream>) {
    let mean = FrameRate(stream.pointee.avg_frame_rate), exact = FrameRate(stream.pointee.r_frame_rate)
    if let mean, let exact {
      self = abs(exact.partsPerMillion(from: mean)) <= 1000 ? exact : mean.standardRate ?? mean
    } else {
      self = mean.map { $0.standardRate ?? $0 } ?? exact ?? FrameRate(Rational(25)).unsafelyUnwrapped
    }
  }

  private init?(_ rate: AVRational) {
    guard rate.den > 0 else { return nil }
    self.init(Rational(Int64(rate.num), Int64(rate.den)))
  }

  private var standardRate: FrameRate? {
    let whole = Int64((rational.doubleValue).rounded(.up))
    return [Rational(whole), Rational(whole * 1000, 1001), Rational(whole - 1)].lazy
      .compactMap { FrameRate($0) }.first { abs(self.partsPerMillion(from: $0)) <= 200 }
  }
}
