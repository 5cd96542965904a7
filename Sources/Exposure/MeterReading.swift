/// The brightness of a frame, for the controller.
///
/// EV 0 is a frame whose average of log2 luminance is that of an 18 % grey card by its transfer function (scene-linear
/// 0.18); +1 is a frame 1 EV brighter.
public struct MeterReading: Hashable, Sendable {
  /// Shares are counted in 1/1024.
  public static let whole = 1024

  /// The average. It is too low if much is clipped. If much is crushed, it may be too high, or too low: noise below
  /// black counts as the darkest level.
  public var level: Stops
  /// The average of what is not crushed; `nil` while little is. Noise or not, the scene is no brighter.
  public var seenLevel: Stops?
  /// The clipped share of the frame, by metering weight: 0…`whole`.
  public var clipped: Int
  /// The share at the meter's darkest level (8 EV below grey): 0…`whole`.
  public var crushed: Int
  /// From the 16th percentile to the median: one standard deviation of a normal distribution, from the half that does
  /// not clip. At least 0.
  public var spread: Stops
  /// `nil` if the frame is not read by parts, as for a spot.
  public var cells: MeterCells?

  public init(
    level: Stops, clipped: Int = 0, crushed: Int = 0, spread: Stops = .zero, cells: MeterCells? = nil,
    seenLevel: Stops? = nil
  ) {
    self.level = level
    self.seenLevel = seenLevel
    self.clipped = clipped
    self.crushed = crushed
    self.spread = spread
    self.cells = cells
  }
}
