/// Finds the setting for an exposure, in a mode and within a device's limits: a pure function.
struct ExposureProgram: Hashable, Sendable {
  private let mode: ExposureMode
  private let limits: ExposureLimits
  /// The device's nearest time to the angle's, and the longest time that fits into a frame.
  private let angleTime: Int64
  private let longest: Int64
  private let shortest: Int64

  init(_ configuration: ExposureConfiguration) {
    mode = configuration.mode
    limits = configuration.limits
    longest = limits.time(nearest: configuration.frameInterval, upTo: configuration.frameInterval)
    angleTime = limits.time(nearest: configuration.angleTime, upTo: configuration.frameInterval)
    shortest = limits.time(nearest: 0, upTo: longest)
  }

  /// The angle's time at the lowest gain.
  var start: Stops { Stops(nanoseconds: angleTime) + limits.gains.range.lowerBound }

  /// From the darkest to the brightest setting.
  var range: ClosedRange<Stops> {
    let gains = limits.gains.range
    switch mode {
    case .auto: return Stops(nanoseconds: shortest) + gains.lowerBound...Stops(nanoseconds: longest) + gains.upperBound
    case .shutterPriority:
      let time = Stops(nanoseconds: angleTime)
      return time + gains.lowerBound...time + gains.upperBound
    case .manual(let setting):
      let only = manual(setting).exposureStops
      return only...only
    }
  }

  /// The setting nearest to `exposure`.
  func setting(for exposure: Stops) -> ExposureSetting {
    switch mode {
    case .manual(let setting): manual(setting)
    case .shutterPriority: ExposureSetting(nanoseconds: angleTime, gainStops: gain(exposure, angleTime))
    case .auto: auto(exposure)
    }
  }

  private func manual(_ setting: ExposureSetting) -> ExposureSetting {
    ExposureSetting(
      nanoseconds: limits.time(nearest: setting.nanoseconds, upTo: longest),
      gainStops: limits.gains.nearest(to: setting.gainStops))
  }

  private func auto(_ exposure: Stops) -> ExposureSetting {
    let needed = exposure - Stops(nanoseconds: angleTime)
    // The time fills in between two steps of gain, and the gain between two steps of time.
    let upperGain = limits.gains.next(from: needed)
    let time = (exposure - upperGain).nanoseconds
    let longestNow = upperGain == limits.gains.range.upperBound ? longest : angleTime
    let near = candidate(exposure, limits.time(nearest: time, upTo: longestNow))
    let below = candidate(exposure, limits.time(notAbove: time, upTo: longestNow))
    return (below.exposureStops - exposure).magnitude < (near.exposureStops - exposure).magnitude ? below : near
  }

  private func candidate(_ exposure: Stops, _ time: Int64) -> ExposureSetting {
    ExposureSetting(nanoseconds: time, gainStops: gain(exposure, time))
  }

  private func gain(_ exposure: Stops, _ time: Int64) -> Stops {
    limits.gains.nearest(to: exposure - Stops(nanoseconds: time))
  }
}
