/// How bright a picture is, as the controller wants to know it.
///
/// EV 0 is a picture whose average of log2 luminance is that of an 18 % grey card, as its transfer function counts it
/// (scene-linear 0.18); +1 is a picture one stop brighter.
public struct MeterReading: Hashable, Sendable {
  /// Shares are counted in 1/1024.
  public static let whole = 1024

  /// The average. Where much is clipped it is too low, and where much is crushed too high.
  public var level: Stops
  /// The share of the picture, by its metering weight, that is clipped: 0…`whole`.
  public var clipped: Int
  /// The share that is as dark as the meter reads (8 EV below grey): 0…`whole`.
  public var crushed: Int
  /// From the 16th percentile to the median: one standard deviation of a normal distribution, from the half that does
  /// not clip. At least 0.
  public var spread: Stops
  /// `nil` where the picture is not read by its parts, as for a spot.
  public var cells: MeterCells?

  public init(
    level: Stops, clipped: Int = 0, crushed: Int = 0, spread: Stops = .zero, cells: MeterCells? = nil
  ) {
    self.level = level
    self.clipped = clipped
    self.crushed = crushed
    self.spread = spread
    self.cells = cells
  }
}
