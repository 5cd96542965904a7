import Foundation

/// How similar the frames of a clip are to those that they should be.
public struct ClipQuality: Hashable, Sendable {
  public struct Picture: Hashable, Sendable {
    /// Number from 0, and time in seconds.
    public let number: Int
    public let seconds: Double
    /// Time of the frame that it was compared with, in seconds of that one's clip.
    public let otherSeconds: Double
    public let quality: FrameQuality

    public init(number: Int, seconds: Double, otherSeconds: Double, quality: FrameQuality) {
      self.number = number
      self.seconds = seconds
      self.otherSeconds = otherSeconds
      self.quality = quality
    }
  }

  /// Those that were measured.
  public let pictures: [Picture]
  /// Over all of them: the PSNR of their mean squared error, and the means of the others.
  public let overall: FrameQuality

  public init(_ pictures: [Picture]) {
    self.pictures = pictures
    let count = Double(max(1, pictures.count))
    // The error against the square of the peak.
    let error = pictures.reduce(0) { $0 + pow(10, -$1.quality.psnr / 10) } / count
    overall =
      pictures.isEmpty
      ? .equal
      : FrameQuality(
        psnr: error > 0 ? -10 * log10(error) : .infinity, ssim: pictures.reduce(0) { $0 + $1.quality.ssim } / count,
        deltaE: pictures.reduce(0) { $0 + $1.quality.deltaE } / count)
  }

  /// The frames with the least PSNR, the least SSIM and the greatest ΔE; `nil` without frames.
  public var worst: (psnr: Picture, ssim: Picture, deltaE: Picture)? {
    guard let psnr = pictures.min(by: { $0.quality.psnr < $1.quality.psnr }),
      let ssim = pictures.min(by: { $0.quality.ssim < $1.quality.ssim }),
      let deltaE = pictures.max(by: { $0.quality.deltaE < $1.quality.deltaE })
    else { return nil }
    return (psnr, ssim, deltaE)
  }

  /// The worst of each, for people: `PSNR from 43.21 dB, SSIM from 0.9912, ΔE2000 up to 0.31`.
  public var words: String {
    guard let worst else { return "no frame was measured" }
    let psnr = worst.psnr.quality.psnr
    return (psnr.isFinite ? String(format: "PSNR from %.2f dB, ", psnr) : "PSNR infinite, ")
      + String(format: "SSIM from %.4f, ΔE2000 up to %.2f", worst.ssim.quality.ssim, worst.deltaE.quality.deltaE)
  }
}
