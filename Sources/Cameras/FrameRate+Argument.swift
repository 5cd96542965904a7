public import Frames

extension FrameRate {
  /// A rate as people write it: `24`, `23.976`, `24000/1001`.
  ///
  /// - Throws: code `usage`.
  public init(argument text: String) throws(CamrecError) {
    guard let rate = FrameRate(parsing: text) else {
      throw CamrecError(
        .usage, "a frame rate is greater than 0 and at most \(FrameRate.limit), as in 24, 23.976 or 24000/1001")
    }
    self = rate
  }
}
