/// The controller's answer to an event.
public struct ExposureDecision: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The exposure follows the light.
    case moving
    /// The picture has the target brightness, within the dead band.
    case settled
    /// The exposure is at the end of its range; `missing` is the remaining distance.
    case limited
    /// The mode is manual or locked: nothing follows the light.
    case held
  }

  /// The setting from `frame` on.
  public var setting: ExposureSetting
  /// Whether it differs from the last decision's setting, and must be sent to the device now.
  public var isChange: Bool
  /// The first frame that shows the setting.
  public var frame: Int
  public var state: State
  /// EV by which the picture would be too dark with `setting`; negative if too bright, 0 while the light is unknown.
  public var deviation: Stops
  /// EV missing beyond the end of the range: positive in the dark, negative in bright light, 0 within the range and
  /// while the exposure is held. In a clipped picture this is an estimate, which moves the exposure; `shownMissing` is
  /// what to tell people.
  public var missing: Stops
  /// As `missing`, or `deviation` while the exposure is held, by what the frames show alone: without what is
  /// extrapolated from a clipped one, and without what noise may have taken from a dark one.
  public var shownMissing: Stops
  /// More than `shownMissing` may be missing: an eighth of the frame or more is clipped, or has no detail in the dark.
  public var isMissingLowerBound: Bool

  package init(
    setting: ExposureSetting, isChange: Bool, frame: Int, state: State, deviation: Stops, missing: Stops,
    shownMissing: Stops = .zero, isMissingLowerBound: Bool = false
  ) {
    self.setting = setting
    self.isChange = isChange
    self.frame = frame
    self.state = state
    self.deviation = deviation
    self.missing = missing
    self.shownMissing = shownMissing
    self.isMissingLowerBound = isMissingLowerBound
  }
}
