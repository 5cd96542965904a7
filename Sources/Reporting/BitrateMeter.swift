/// The bitrate of the file since the last reading.
package struct BitrateMeter {
  private var lastBytes: Int64 = 0
  private var lastSeconds = 0.0

  package init() {}

  /// - Parameters:
  ///   - bytes: written so far.
  ///   - seconds: of film so far.
  package mutating func megabitsPerSecond(bytes: Int64, seconds: Double) -> Double {
    defer { (lastBytes, lastSeconds) = (bytes, seconds) }
    guard seconds > lastSeconds else { return 0 }
    return Double(bytes - lastBytes) * 8e-6 / (seconds - lastSeconds)
  }
}
