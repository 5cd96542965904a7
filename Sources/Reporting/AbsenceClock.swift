package import Frames
package import RecorderAPI

/// How long a recorder has been waiting for its camera.
package struct AbsenceClock {
  private var since: MonotonicTime?

  package init() {}

  /// - Returns: seconds; `nil` while it does not wait.
  package mutating func seconds(in phase: RecorderState.Phase, at now: MonotonicTime) -> Double? {
    guard phase == .waiting else {
      since = nil
      return nil
    }
    let begin = since ?? now
    since = begin
    return Double(now - begin) * 1e-9
  }
}
