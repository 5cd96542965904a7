import Goldens
import Testing

@Suite struct ClipQualityTests {
  private static func clip(_ values: [(Double, Double, Double)]) -> ClipQuality {
    ClipQuality(
      values.enumerated().map { index, value in
        ClipQuality.Picture(
          number: index, seconds: Double(index) / 4, otherSeconds: Double(index) / 4,
          quality: FrameQuality(psnr: value.0, ssim: value.1, deltaE: value.2))
      })
  }

  /// The clip's PSNR is that of its mean squared error: half of the pictures equal is 3.01 dB better.
  @Test func aClipIsTheSumOfItsPictures() throws {
    let clip = Self.clip([(40, 0.9, 1), (.infinity, 1, 0)])
    #expect(
      abs(clip.overall.psnr - 43.0103) < 1e-4 && abs(clip.overall.ssim - 0.95) < 1e-12 && clip.overall.deltaE == 0.5)
    #expect(clip.worst?.psnr.number == 0 && clip.words == "PSNR from 40.00 dB, SSIM from 0.9000, ΔE2000 up to 1.00")
    #expect(Self.clip([(.infinity, 1, 0)]).overall == .equal)
    #expect(ClipQuality([]).overall == .equal && ClipQuality([]).worst == nil)
  }

  @Test func limitsNameTheWorst() {
    let clip = Self.clip([(40, 0.9, 1), (38, 0.95, 3), (39, 0.8, 2)])
    #expect(QualityLimits().findings(clip) == [] && QualityLimits().isEmpty && !QualityLimits(psnr: 1).isOfClip)
    #expect(
      QualityLimits(psnr: 38, ssim: 0.8, deltaE: 3, clipPSNR: 30, clipSSIM: 0.8, clipDeltaE: 2).findings(clip) == [])
    #expect(
      QualityLimits(psnr: 38.5, ssim: 0.91, deltaE: 0.5, clipPSNR: 40, clipSSIM: 0.9, clipDeltaE: 1).findings(clip) == [
        "frame 1 (0.250 s) has a PSNR of 38.00 dB, less than 38.5 dB",
        "frame 2 (0.500 s) has an SSIM of 0.8000, less than 0.91; the worst of 2 frames",
        "frame 1 (0.250 s) has a ΔE2000 of 3.00, more than 0.5; the worst of 3 frames",
        "the clip has a PSNR of 38.92 dB, less than 40.0 dB", "the clip has an SSIM of 0.8833, less than 0.9",
        "the clip has a ΔE2000 of 2.00, more than 1.0",
      ])
    let close = Self.clip([(37.9999, 0.94996, 1.504)])
    #expect(
      QualityLimits(psnr: 38, ssim: 0.95, deltaE: 1.5).findings(close) == [
        "frame 0 (0.000 s) has a PSNR of 37.9999 dB, less than 38.0 dB",
        "frame 0 (0.000 s) has an SSIM of 0.94996, less than 0.95",
        "frame 0 (0.000 s) has a ΔE2000 of 1.504, more than 1.5",
      ], "no number is rounded to its limit")
    // What is no number keeps no limit.
    #expect(QualityLimits(psnr: 1).findings(Self.clip([(.nan, 1, 0)])).count == 1)
  }
}
