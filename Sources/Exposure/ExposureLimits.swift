public import Frames

/// What a device can be set to.
public struct ExposureLimits: Hashable, Sendable {
  /// The shortest exposure time, and one that none is longer than, in nanoseconds, both greater than zero.
  public let times: ClosedRange<Int64>
  /// From one exposure time to the next, starting with the shortest, in picoseconds, since a sensor's line is no whole
  /// number of nanoseconds: 100 000 000 for UVC's 100 µs, 1000 where any time can be had.
  public let timeStep: Int64
  public let gains: GainScale

  /// An hour, in nanoseconds: no time of a camera is longer.
  public static let longestTime: Int64 = 3_600_000_000_000
  private static let perNanosecond: Int64 = 1000
  /// Registers of gain have at most 16 bits.
  public static let mostSteps = 65_536

  /// Throws `usage` where nothing could be set, and where gains do not rise.
  public init(times: ClosedRange<Int64>, timeStep: Int64, gains: GainScale) throws(CamrecError) {
    guard times.lowerBound > 0, times.upperBound <= Self.longestTime else {
      throw CamrecError(
        .usage, "exposure times from \(times.lowerBound) to \(times.upperBound) ns; 1 ns to 1 h is possible")
    }
    guard timeStep > 0, timeStep <= Self.longestTime * Self.perNanosecond else {
      throw CamrecError(.usage, "exposure times in steps of \(timeStep) ps; a step is 1 ps to 1 h long")
    }
    if case .steps(let steps) = gains {
      guard !steps.isEmpty, steps.count <= Self.mostSteps else {
        throw CamrecError(.usage, "\(steps.count) steps of gain; 1 to \(Self.mostSteps) are possible")
      }
      for index in 1..<max(1, steps.count) where steps[index] <= steps[index - 1] {
        throw CamrecError(
          .usage, "gain \(steps[index].ev) EV follows \(steps[index - 1].ev) EV; steps of gain rise")
      }
    }
    self.times = times
    self.timeStep = timeStep
    self.gains = gains
  }

  /// The exposure time next to `time` that is, if the shortest is not longer, at most `longest`.
  func time(nearest time: Int64, upTo longest: Int64) -> Int64 {
    self.time(step: (picoseconds(to: time) + timeStep / 2) / timeStep, upTo: longest)
  }

  /// The longest exposure time that is not above `time`, within the same limits.
  func time(notAbove time: Int64, upTo longest: Int64) -> Int64 {
    self.time(step: picoseconds(to: time) / timeStep, upTo: longest)
  }

  private func time(step: Int64, upTo longest: Int64) -> Int64 {
    // What exceeds its end by the nanosecond that both are rounded to is not longer.
    let most = (picoseconds(to: min(longest, times.upperBound)) + Self.perNanosecond) / timeStep
    let length = max(0, min(step, most)) * timeStep
    return times.lowerBound + (length + Self.perNanosecond / 2) / Self.perNanosecond
  }

  /// From the shortest time.
  private func picoseconds(to time: Int64) -> Int64 {
    (min(time, Self.longestTime) - times.lowerBound) * Self.perNanosecond
  }
}
