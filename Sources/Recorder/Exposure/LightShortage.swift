import Exposure
import Frames

/// Warns when the light has been beyond the camera's range for a second, and again after it has been within range.
struct LightShortage {
  private let patience: Int
  private let name: String
  private var count = 0

  init(rate: FrameRate, name: String) {
    patience = max(1, Int(rate.framesPerSecond.rounded()))
    self.name = name
  }

  mutating func sentence(_ decision: ExposureDecision) -> Sentence? {
    guard decision.state == .limited else {
      if decision.state == .settled { count = 0 }
      return nil
    }
    count += 1
    guard count == patience else { return nil }
    let missing = decision.missing.magnitude.ev, isDark = decision.missing > .zero
    let rounded = (missing * 10).rounded() / 10
    let sentence: Sentence =
      isDark
      ? "the picture is \(rounded) EV too dark at the highest gain of \(name); add light, or open the aperture"
      : "the picture is \(rounded) EV too bright at the lowest gain of \(name); use a filter, a smaller aperture, or a "
        + "smaller \(setting: .shutterAngle)"
    return sentence
  }
}
