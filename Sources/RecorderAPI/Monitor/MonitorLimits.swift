import Frames

/// What the values of requests may be.
enum MonitorLimits {
  static func check(width: Int) throws(CamrecError) {
    let widths = MonitorProtocol.widths
    guard widths.contains(width) else {
      throw CamrecError(
        .usage, "the width of a picture is \(widths.lowerBound) to \(widths.upperBound) pixels; this is \(width)")
    }
  }

  static func check(rate: Double) throws(CamrecError) {
    let rates = MonitorProtocol.rates
    guard rates.contains(rate) else {
      throw CamrecError(
        .usage, "a rate is \(rates.lowerBound) to \(Int(rates.upperBound)) a second; this is \(rate)")
    }
  }

  static func check(quality: Int) throws(CamrecError) {
    let qualities = MonitorProtocol.qualities
    guard qualities.contains(quality) else {
      throw CamrecError(
        .usage, "the quality of a JPEG picture is \(qualities.lowerBound) to \(qualities.upperBound); this is "
          + "\(quality)")
    }
  }
}
