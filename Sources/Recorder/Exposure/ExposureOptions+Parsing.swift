public import Frames

extension ExposureOptions {
  /// Reads an ISO speed, which need not stand in the printed table.
  ///
  /// - Throws: code `usage`.
  public static func iso(parsing text: String) throws(CamrecError) -> Double {
    guard let speed = Double(text), isoRange.contains(speed) else {
      throw CamrecError(.usage, "an ISO speed is 1 to 10000000; this is '\(text)'")
    }
    return speed
  }
}

extension ExposureOptions.Mode {
  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
    guard let mode = Self(rawValue: text) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw CamrecError(.usage, "the exposure is one of \(names); this is '\(text)'")
    }
    self = mode
  }
}
