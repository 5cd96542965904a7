/// The brightness of a frame, for the controller.
///
/// EV 0 is a frame whose average of log2 luminance is that of an 18 % grey card by its transfer function (scene-linear
/// 0.18); +1 is a frame 1 EV brighter.
public struct MeterReading: Hashable, Sendable {
  /// Shares are counted in 1/1024.
  public static let whole = 1024

  /// The average. It is too low if much is clipped, and too high if much is crushed.
  public var level: Stops
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
    level: Stops, clipped: Int = 0, crushed: Int = 0, spread: Stops = .zero, cells: MeterCells? = nil
  ) {
    self.level = level
    self.clipped = clipped
    self.crushed = crushed
    self.spread = spread
    self.cells = cells
  }
}
