public import Frames

/// Which measures of the full-resolution frame a subscriber wants.
public struct MeasuresRequest: Hashable, Sendable {
  /// Of the frame as the film has it, with LUT and look; otherwise as the camera sends it.
  public let isGraded: Bool
  /// Measures a second, at most.
  public let rate: Double

  public static let defaultRate = 10.0

  /// - Throws: code `usage`, with a sentence that names the value.
  public init(isGraded: Bool = true, rate: Double = defaultRate) throws(CamrecError) {
    try MonitorLimits.check(rate: rate)
    self.isGraded = isGraded
    self.rate = rate
  }
}
