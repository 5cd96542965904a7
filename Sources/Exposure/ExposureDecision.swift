/// What the controller answers to an event.
public struct ExposureDecision: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The light is being followed.
    case moving
    /// The picture is as bright as it is to be, up to the dead band.
    case settled
    /// The range of settings has ended; `missing` says by how much.
    case limited
    /// The mode is manual, or locked: nothing follows the light.
    case held
  }

  /// What is to be in force from `frame` on.
  public var setting: ExposureSetting
  /// Whether that is another setting than the last decision's, to be given to the device now.
  public var isChange: Bool
  /// The first frame that shows it.
  public var frame: Int
  public var state: State
  /// EV by which the picture would come out too dark with `setting`, negative where too bright; 0 as long as nothing is
  /// known of the light.
  public var deviation: Stops
  /// EV that are missing beyond the end of the range: positive in the dark, negative in the light, 0 within the range.
  /// Where the picture clips, it may be more.
  public var missing: Stops
}
