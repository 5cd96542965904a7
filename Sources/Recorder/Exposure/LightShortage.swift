import Exposure
import Frames

/// Says when the light has been beyond the camera's range for a second, and again after it came back.
struct LightShortage {
  private let patience: Int
  private let name: String
  private var count = 0

  init(rate: FrameRate, name: String) {
    patience = max(1, Int(rate.framesPerSecond.rounded()))
    self.name = name
  }

  mutating func sentence(_ decision: ExposureDecision) -> String? {
    guard decision.state == .limited else {
      if decision.state == .settled { count = 0 }
      return nil
    }
    count += 1
    guard count == patience else { return nil }
    let missing = decision.missing.magnitude.ev, isDark = decision.missing > .zero
    let rounded = (missing * 10).rounded() / 10
    return isDark
      ? "the picture is \(rounded) EV too dark at the highest gain of \(name); more light is needed, or a wider aperture"
      : "the picture is \(rounded) EV too bright at the lowest gain of \(name); a filter or a smaller aperture is needed, "
        + "or a smaller --shutter-angle"
  }
}
