/// How similar a frame is to the one that it should be.
public struct FrameQuality: Hashable, Sendable {
  /// In dB over all samples; infinite if they are equal.
  public let psnr: Double
  /// 1 if they are equal.
  public let ssim: Double
  /// The mean of the CIEDE2000 differences of blocks of 8×8 pixels; 0 if they are equal.
  public let deltaE: Double

  public init(psnr: Double, ssim: Double, deltaE: Double) {
    self.psnr = psnr
    self.ssim = ssim
    self.deltaE = deltaE
  }

  public static let equal = FrameQuality(psnr: .infinity, ssim: 1, deltaE: 0)
}
