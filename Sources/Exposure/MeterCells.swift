/// The brightness of the parts of a frame, four across and three down. It distinguishes a change of light, which shows
/// in all parts, from a bright object that passes, which shows in few.
public struct MeterCells: Hashable, Sendable {
  /// A lamp on 5 % of the frame touches at most four of twelve parts, and so does not affect the median of the changes.
  public static let across = 4, down = 3
  public static let count = across * down

  private static let unknown = Int32.min
  private var levels = SIMD16<Int32>(repeating: Self.unknown)

  /// For a frame of which nothing is known.
  public init() {}

  /// The average of log2 luminance as in `MeterReading.level`, by row and column; `nil` for a part that is mostly
  /// clipped or crushed, or lies in a black border.
  public subscript(index: Int) -> Stops? {
    get { levels[index] == Self.unknown ? nil : Stops(units: Int(levels[index])) }
    set { levels[index] = newValue.map { Int32($0.units) } ?? Self.unknown }
  }
}
