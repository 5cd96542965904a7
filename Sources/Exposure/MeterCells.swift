/// How bright the parts of a picture are, four across and three down: what tells a change of light, which all of them
/// show, from something bright that passes, which few do.
public struct MeterCells: Hashable, Sendable {
  /// A lamp on 5 % of the picture touches four of twelve at most, so that the middle one of their changes is not its.
  public static let across = 4, down = 3
  public static let count = across * down

  private static let unknown = Int32.min
  private var levels = SIMD16<Int32>(repeating: Self.unknown)

  /// Of a picture of which nothing is told.
  public init() {}

  /// The average of log2 luminance as `MeterReading.level` counts it, by row and column; `nil` for a part that mostly
  /// clips, is crushed, or lies behind a black border.
  public subscript(index: Int) -> Stops? {
    get { levels[index] == Self.unknown ? nil : Stops(units: Int(levels[index])) }
    set { levels[index] = newValue.map { Int32($0.units) } ?? Self.unknown }
  }
}
