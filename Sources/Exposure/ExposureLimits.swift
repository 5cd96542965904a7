public import Frames

/// The possible exposure settings of a device.
public struct ExposureLimits: Hashable, Sendable {
  /// The shortest exposure time and an upper limit for all, in nanoseconds, both greater than zero.
  public let times: ClosedRange<Int64>
  /// The step from one exposure time to the next, starting with the shortest, in picoseconds, because a sensor's line
  /// is not a whole number of nanoseconds: 100 000 000 for UVC's 100 µs, 1000 if any time is possible.
  public let timeStep: Int64
  public let gains: GainScale

  /// An hour, in nanoseconds: no camera exposes longer.
  public static let longestTime: Int64 = 3_600_000_000_000
  private static let perNanosecond: Int64 = 1000
  /// Registers of gain have at most 16 bits.
  public static let mostSteps = 65_536

  /// Throws `usage` if no setting would be possible, or if gains do not rise.
  public init(times: ClosedRange<Int64>, timeStep: Int64, gains: GainScale) throws(CamrecError) {
    guard times.lowerBound > 0, times.upperBound <= Self.longestTime else {
      throw CamrecError(
        .usage, "exposure times are 1 ns to 1 h, not \(times.lowerBound) to \(times.upperBound) ns")
    }
    guard timeStep > 0, timeStep <= Self.longestTime * Self.perNanosecond else {
      throw CamrecError(.usage, "a step of exposure time is 1 ps to 1 h, not \(timeStep) ps")
    }
    if case .steps(let steps) = gains {
      guard !steps.isEmpty, steps.count <= Self.mostSteps else {
        throw CamrecError(.usage, "a gain has 1 to \(Self.mostSteps) steps, not \(steps.count)")
      }
      for index in 1..<max(1, steps.count) where steps[index] <= steps[index - 1] {
        throw CamrecError(
          .usage, "gain \(steps[index].ev) EV follows \(steps[index - 1].ev) EV; steps of gain must rise")
      }
    }
    self.times = times
    self.timeStep = timeStep
    self.gains = gains
  }

  /// The exposure time nearest to `time` and at most `longest`, unless the shortest is longer than that.
  func time(nearest time: Int64, upTo longest: Int64) -> Int64 {
    self.time(step: (picoseconds(to: time) + timeStep / 2) / timeStep, upTo: longest)
  }

  /// The longest exposure time up to `time`, within the same limits.
  func time(notAbove time: Int64, upTo longest: Int64) -> Int64 {
    self.time(step: picoseconds(to: time) / timeStep, upTo: longest)
  }

  private func time(step: Int64, upTo longest: Int64) -> Int64 {
    // A time that exceeds the limit by less than the rounding to a nanosecond is not longer.
    let most = (picoseconds(to: min(longest, times.upperBound)) + Self.perNanosecond) / timeStep
    let length = max(0, min(step, most)) * timeStep
    return times.lowerBound + (length + Self.perNanosecond / 2) / Self.perNanosecond
  }

  /// The distance from the shortest time.
  private func picoseconds(to time: Int64) -> Int64 {
    (min(time, Self.longestTime) - times.lowerBound) * Self.perNanosecond
  }
}
