public import Frames

extension ExposureOptions {
  /// Reads an ISO speed, which need not be one of the standard's table.
  ///
  /// - Throws: code `usage`.
  public static func iso(parsing text: String) throws(CamrecError) -> Double {
    guard let speed = Double(text), isoRange.contains(speed) else {
      throw CamrecError(.usage, "an ISO speed must be 1 to 10000000, not '\(text)'")
    }
    return speed
  }
}

extension ExposureOptions.Mode {
  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
    guard let mode = Self(rawValue: text) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw CamrecError(.usage, "the exposure must be one of \(names), not '\(text)'")
    }
    self = mode
  }
}
