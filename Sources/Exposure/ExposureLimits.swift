public import Frames

/// What a device can be set to.
public struct ExposureLimits: Hashable, Sendable {
  /// Nanoseconds, both greater than zero.
  public let times: ClosedRange<Int64>
  /// Exposure times are whole multiples of this, in nanoseconds: 100 000 for UVC's 100 µs, 1 where any time can be had.
  public let timeStep: Int64
  public let gains: GainScale

  /// An hour, in nanoseconds: no time of a camera is longer.
  public static let longestTime: Int64 = 3_600_000_000_000
  /// Registers of gain have at most 16 bits.
  public static let mostSteps = 65_536

  /// Throws `usage` where nothing could be set, or steps do not rise.
  public init(times: ClosedRange<Int64>, timeStep: Int64, gains: GainScale) throws(CamrecError) {
    guard times.lowerBound > 0, times.upperBound <= Self.longestTime else {
      throw CamrecError(
        .usage, "exposure times from \(times.lowerBound) to \(times.upperBound) ns; 1 ns to 1 h is possible")
    }
    guard timeStep > 0, times.upperBound / timeStep * timeStep >= times.lowerBound else {
      throw CamrecError(
        .usage, "no multiple of \(timeStep) ns lies between \(times.lowerBound) and \(times.upperBound) ns")
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

  /// The multiple of the step next to `time` that lies within the range and, if that is possible, not above `longest`.
  func time(nearest time: Int64, upTo longest: Int64) -> Int64 {
    multiple((min(time, Self.longestTime) + timeStep / 2) / timeStep, upTo: longest)
  }

  /// The greatest multiple of the step that is not above `time`, within the same limits.
  func time(notAbove time: Int64, upTo longest: Int64) -> Int64 { multiple(time / timeStep, upTo: longest) }

  private func multiple(_ count: Int64, upTo longest: Int64) -> Int64 {
    let least = (times.lowerBound + timeStep - 1) / timeStep
    let most = max(least, min(longest, times.upperBound) / timeStep)
    return max(least, min(count, most)) * timeStep
  }
}
