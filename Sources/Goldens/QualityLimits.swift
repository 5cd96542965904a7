import Foundation

/// Limits for the frames after a lossy encoder.
public struct QualityLimits: Hashable, Sendable, Codable {
  /// For every frame: at least, at least, and at most.
  public var psnr: Double?
  public var ssim: Double?
  public var deltaE: Double?
  /// For the clip.
  public var clipPSNR: Double?
  public var clipSSIM: Double?
  public var clipDeltaE: Double?

  public init(
    psnr: Double? = nil, ssim: Double? = nil, deltaE: Double? = nil, clipPSNR: Double? = nil, clipSSIM: Double? = nil,
    clipDeltaE: Double? = nil
  ) {
    self.psnr = psnr
    self.ssim = ssim
    self.deltaE = deltaE
    self.clipPSNR = clipPSNR
    self.clipSSIM = clipSSIM
    self.clipDeltaE = clipDeltaE
  }

  public var isEmpty: Bool { self == QualityLimits() }
  /// Whether there are limits for the clip as a whole, so that all its frames count.
  public var isOfClip: Bool { clipPSNR != nil || clipSSIM != nil || clipDeltaE != nil }

  /// The limits broken, for people; of each the worst frame, and how many there are.
  ///
  /// - Parameter frame: what to call a frame before its number.
  public func findings(_ clip: ClipQuality, frame: String = "frame") -> [String] {
    let overall = clip.overall
    func finding(
      _ name: String, _ limit: Double?, _ value: (FrameQuality) -> Double, _ unit: String, _ digits: Int,
      _ isLeast: Bool
    ) -> String? {
      QualityLimits.finding(clip, frame, name, limit, value, unit: unit, digits: digits, isLeast: isLeast)
    }
    return [
      finding("a PSNR", psnr, { $0.psnr }, " dB", 2, true), finding("an SSIM", ssim, { $0.ssim }, "", 4, true),
      finding("a ΔE2000", deltaE, { $0.deltaE }, "", 2, false),
      QualityLimits.finding("a PSNR", clipPSNR, overall.psnr, unit: " dB", digits: 2, isLeast: true),
      QualityLimits.finding("an SSIM", clipSSIM, overall.ssim, unit: "", digits: 4, isLeast: true),
      QualityLimits.finding("a ΔE2000", clipDeltaE, overall.deltaE, unit: "", digits: 2, isLeast: false),
    ].compactMap { $0 }
  }

  /// NaN keeps no limit.
  private static func isKept(_ value: Double, _ limit: Double, isLeast: Bool) -> Bool {
    isLeast ? value >= limit : value <= limit
  }

  private static func finding(
    _ clip: ClipQuality, _ frame: String, _ name: String, _ limit: Double?, _ value: (FrameQuality) -> Double,
    unit: String, digits: Int, isLeast: Bool
  ) -> String? {
    guard let limit else { return nil }
    let poor = clip.pictures.filter { !isKept(value($0.quality), limit, isLeast: isLeast) }
    let worst = poor.max { a, b in
      let (first, second) = (value(a.quality), value(b.quality))
      return second.isNaN || (isLeast ? first > second : first < second)
    }
    guard let worst else { return nil }
    let place = "\(frame) \(worst.number) (\(String(format: "%.3f s", worst.seconds)))"
    let others = poor.count > 1 ? "; the worst of \(poor.count) frames" : ""
    return "\(place) has \(words(name, value(worst.quality), limit, unit, digits, isLeast))\(others)"
  }

  private static func finding(
    _ name: String, _ limit: Double?, _ value: Double, unit: String, digits: Int, isLeast: Bool
  ) -> String? {
    guard let limit, !isKept(value, limit, isLeast: isLeast) else { return nil }
    return "the clip has \(words(name, value, limit, unit, digits, isLeast))"
  }

  private static func words(
    _ name: String, _ value: Double, _ limit: Double, _ unit: String, _ digits: Int, _ isLeast: Bool
  ) -> String {
    "\(name) of \(number(value, beyond: limit, digits, isLeast))\(unit), \(isLeast ? "less" : "more") than"
      + " \(limit)\(unit)"
  }

  /// With more digits where rounding would hide that the limit is broken.
  private static func number(_ value: Double, beyond limit: Double, _ digits: Int, _ isLeast: Bool) -> String {
    for precision in digits...12 {
      let text = String(format: "%.\(precision)f", value)
      if let shown = Double(text), !isKept(shown, limit, isLeast: isLeast) { return text }
    }
    return "\(value)"
  }
}
