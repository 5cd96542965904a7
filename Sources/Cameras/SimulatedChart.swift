/// The positions of the simulated scene's charts in a frame, for tests and tools that measure them.
public struct SimulatedChart: Hashable, Sendable {
  /// Whole pixels well inside an area of one reflectance.
  public struct Area: Hashable, Sendable {
    public let columns: Range<Int>
    public let rows: Range<Int>
  }

  static let left = 100.0, top = 110.0, patch = 88.0, gap = 12.0
  static let stepLeft = 106.0, stepTop = 566.0, stepWidth = 600.0 / 13, stepHeight = 68.0
  /// EV from 18 % grey of each step of the backlit wedge, from the left.
  public static let stepStops = Array(-6...6)

  private let frame: StageFrame
  private let width: Int
  private let height: Int

  /// - Parameters:
  ///   - width: of the frame, in pixels.
  ///   - height: of the frame, in pixels.
  public init(width: Int, height: Int) {
    frame = StageFrame(width: width, height: height)
    self.width = width
    self.height = height
  }

  /// The inner 60 % of patch `index` of `ColorChecker.patches`, 0…23, on even edges.
  ///
  /// - Returns: `nil` if the frame is too small to hold a pair of such pixels.
  public func patch(_ index: Int) -> Area? {
    precondition((0..<24).contains(index), "the chart has 24 patches")
    let (x, y) = SimulatedChart.corner(ofPatch: index)
    return inner(x, y, SimulatedChart.patch, SimulatedChart.patch)
  }

  /// The inner 60 % of step `index`, 0…12, of the backlit wedge: 18 % grey plus `stepStops[index]` EV.
  public func step(_ index: Int) -> Area? {
    precondition(SimulatedChart.stepStops.indices.contains(index), "the wedge has 13 steps")
    let x = SimulatedChart.stepLeft + Double(index) * SimulatedChart.stepWidth
    return inner(x, SimulatedChart.stepTop, SimulatedChart.stepWidth, SimulatedChart.stepHeight)
  }

  /// The top left corner of patch `index` on the stage.
  static func corner(ofPatch index: Int) -> (x: Double, y: Double) {
    let pitch = patch + gap
    return (left + gap + Double(index % 6) * pitch, top + gap + Double(index / 6) * pitch)
  }

  private func inner(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Area? {
    func span(_ low: Double, _ high: Double) -> Range<Int>? {
      let first = Int((low + (high - low) * 0.2).rounded(.up)) + 1 & ~1
      let end = Int(high - (high - low) * 0.2) & ~1
      return end > first ? first..<end : nil
    }
    guard let columns = span(frame.x(x), frame.x(x + width)), let rows = span(frame.y(y), frame.y(y + height)) else {
      return nil
    }
    return Area(columns: columns, rows: rows)
  }
}
