package import Exposure
package import Frames

/// Warns when the light has been beyond one end of the camera's range for a second. It warns again after the light has
/// been within the range, or beyond its other end.
package struct LightShortage {
  private let patience: Int
  private let name: String
  private let hasGain: Bool
  private var count = 0
  private var wasDark = false

  /// - Parameter hasGain: the camera's gain, or its ISO, can be set.
  package init(rate: FrameRate, name: String, hasGain: Bool) {
    patience = max(1, Int(rate.framesPerSecond.rounded()))
    self.name = name
    self.hasGain = hasGain
  }

  /// - Parameter isTimeFree: the exposure time follows the light, too, and is at the end of its range.
  package mutating func sentence(_ decision: ExposureDecision, isTimeFree: Bool = false) -> Sentence? {
    guard decision.state == .limited else {
      if decision.state == .settled { count = 0 }
      return nil
    }
    let isDark = decision.missing > .zero
    if isDark != wasDark { (count, wasDark) = (0, isDark) }
    count += 1
    guard count == patience else { return nil }
    let rounded = (decision.shownMissing.magnitude.ev * 10).rounded() / 10
    let amount = rounded == 0 ? "" : (decision.isMissingLowerBound ? "at least " : "") + "\(rounded) EV "
    // What a frame in the dark shows may not be too dark at all.
    let verb = isDark && rounded == 0 ? "may be" : "is"
    let end =
      switch (isDark, hasGain, isTimeFree) {
      case (true, true, _): "highest gain"
      case (false, true, true): "shortest exposure time and the lowest gain"
      case (false, true, false): "lowest gain"
      case (true, false, true): "longest exposure time"
      case (false, false, true): "shortest exposure time"
      case (_, false, false): "fixed gain"
      }
    let remedy: Sentence =
      if isDark {
        "add light, or open the aperture"
      } else if isTimeFree {
        "use a filter or a smaller aperture"
      } else {
        "use a filter, a smaller aperture, or a smaller \(setting: .shutterAngle)"
      }
    let problem = isDark ? "dark" : "bright"
    return "the picture \(verb) \(amount)too \(problem) at the \(end) of \(name); \(sentence: remedy)"
  }
}
